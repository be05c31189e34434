// Linen or NNX: where two cells say the same in both, a reader chooses which to see, once for all pages.
const INTERFACE = "interface"

const choices = []

const showInterface = chosen => {
  const { dataset } = document.documentElement
  dataset.interface = ["linen", "nnx"].includes(chosen) ? chosen : "both"
  for (const choice of choices)
    for (const option of choice.children) option.setAttribute("aria-pressed", option.value === dataset.interface)
}

for (const pair of document.querySelectorAll(".side-by-side:has(> .side-linen)")) {
  const choice = document.getElementById("interface-choice").content.firstElementChild.cloneNode(true)
  choice.addEventListener("click", ({ target }) => {
    if (!target.value) return
    const place = choice.getBoundingClientRect().top
    remember(INTERFACE, JSON.stringify(target.value))
    showInterface(target.value)
    scrollBy({ top: choice.getBoundingClientRect().top - place, behavior: "instant" })
  })
  choices.push(choice)
  pair.before(choice)
}
showInterface(recall(INTERFACE))
