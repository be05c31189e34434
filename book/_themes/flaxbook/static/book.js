// Works without it, too: links lead to the top of the other language's page, and code is copied by hand.

// The choice of a language is remembered for the front door, and leads to the section that is being read.
const current = () => [...document.querySelectorAll("article section[id]")]
  .filter(section => section.getBoundingClientRect().top < innerHeight / 3).at(-1)

for (const link of document.querySelectorAll(".languages a"))
  link.addEventListener("click", () => {
    localStorage.setItem("language", link.hreflang)
    link.hash = scrollY > 0 && current() ? current().id : ""
    link.search = location.search
  })

// A block of code gets a button that copies it, and not its output, when the reader comes near it.
const button = document.getElementById("copy")?.content.firstElementChild

const addButton = block => {
  const copy = button.cloneNode(true)
  const label = copy.textContent
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("pre").textContent)
    copy.textContent = copy.dataset.done
    setTimeout(() => { copy.textContent = label }, 2000)
  })
  block.append(copy)
}

const near = new IntersectionObserver(entries => {
  for (const { target } of entries.filter(entry => entry.isIntersecting)) {
    near.unobserve(target)
    addButton(target)
  }
}, { rootMargin: "100%" })

if (button && navigator.clipboard)
  for (const block of document.querySelectorAll("article .highlight"))
    if (!block.closest(".cell_output")) near.observe(block)

// What is wider than its place can be scrolled from the keyboard.
addEventListener("load", () => {
  const places = [...document.querySelectorAll("article :is(pre, .table-wrapper, div.math)")]
  for (const wide of places.filter(place => place.scrollWidth > place.clientWidth)) wide.tabIndex = 0
})

// Opened as a file, a page may not read others: search then shows titles without the text around what was found.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false
