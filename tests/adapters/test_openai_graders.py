"""Graders have the published form, as the types of OpenAI's own library state it."""

import pytest
from pydantic import TypeAdapter

from palaestra.trainers.openai_graders import python_grader

pytestmark = pytest.mark.package("openai")


def test_a_grader_is_of_the_published_type():
    from openai.types.fine_tuning import ReinforcementMethod
    from openai.types.graders import PythonGrader, PythonGraderParam

    grader = python_grader(["logic/knights_and_knaves"])
    assert grader.keys() <= PythonGrader.model_fields.keys()
    read = PythonGrader.model_validate(grader, strict=True)
    assert read.model_dump(exclude_unset=True) == grader
    assert TypeAdapter(PythonGraderParam).validate_python(grader, strict=True) == grader
    method = ReinforcementMethod.model_validate({"grader": grader})
    assert type(method.grader) is PythonGrader
