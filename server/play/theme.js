// Runs before the first paint, so that the page never flashes in the theme that was not chosen.
try {
  const chosen = localStorage.getItem("palaestra.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Where nothing may be stored, the system's theme it is.
}
