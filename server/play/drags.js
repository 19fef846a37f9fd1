// Pieces that are dragged: from an element of a drawing to another one, by mouse, pen or finger.

import { svg } from "./dom.js";

const FAR = 4; // pixels, from which a press is a drag
const ENDS = ["pointerup", "pointercancel"];
const REACH = 0.9; // cells, within which a drop counts for the nearest target

/**
 * Lets elements of a drawing be dragged. `targets(name)` gives the names of elements that the piece
 * at an element can go to, `piece(name)` those that move with it; `drop(from, to)` is called.
 */
export function draggable(image, { targets, piece, drop }) {
  const nodes = new Map([...image.querySelectorAll(".element")].map((node) => [node.dataset.name, node]));
  for (const [name, node] of nodes) node.classList.toggle("movable", targets(name).length > 0);

  image.addEventListener("pointerdown", (event) => {
    const from = event.target.closest(".element")?.dataset.name;
    if (!from || event.button !== 0 || !targets(from).length) return;
    const start = [event.clientX, event.clientY];
    const unit = image.getBoundingClientRect().width / image.viewBox.baseVal.width;
    let ghost = null;

    function moved({ clientX, clientY }) {
      const [right, down] = [clientX - start[0], clientY - start[1]];
      if (!ghost && Math.hypot(right, down) < FAR) return;
      ghost ??= lifted(image, piece(from).map((name) => nodes.get(name)));
      for (const name of targets(from)) nodes.get(name)?.classList.add("target");
      ghost.setAttribute("transform", `translate(${right / unit} ${down / unit})`);
    }

    function released(last) {
      document.removeEventListener("pointermove", moved);
      for (const type of ENDS) document.removeEventListener(type, released);
      ghost?.remove();
      for (const node of nodes.values()) node.classList.remove("target");
      if (!ghost || last.type !== "pointerup") return;
      const to = under(last, targets(from), nodes, REACH * unit);
      if (to) drop(from, to);
    }

    document.addEventListener("pointermove", moved);
    for (const type of ENDS) document.addEventListener(type, released);
  });
}

/** Copies of elements that follow the pointer. */
function lifted(image, nodes) {
  const ghost = svg("g", { class: "ghost", "aria-hidden": "true" });
  for (const node of nodes) {
    const copy = node.cloneNode(true);
    for (const name of ["role", "tabindex", "aria-label", "class"]) copy.removeAttribute(name);
    copy.querySelector(".halo")?.remove();
    ghost.append(copy);
  }
  image.append(ghost);
  return ghost;
}

/** The target under the pointer, or else the nearest one within reach. */
function under({ clientX, clientY }, targets, nodes, reach) {
  const name = document.elementFromPoint(clientX, clientY)?.closest?.(".element")?.dataset.name;
  if (targets.includes(name)) return name;
  const near = targets.map((target) => {
    const box = nodes.get(target).getBoundingClientRect();
    return [Math.hypot(box.left + box.width / 2 - clientX, box.top + box.height / 2 - clientY), target];
  });
  const [distance, target] = near.sort((one, other) => one[0] - other[0])[0];
  return distance < reach ? target : null;
}
