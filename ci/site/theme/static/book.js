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

// To write into a cell, or to measure it, is to lay it out; so that is done once, when the reader comes near it.
const whenNear = (selector, action) => {
  const near = new IntersectionObserver(entries => {
    for (const { target } of entries.filter(entry => entry.isIntersecting)) {
      near.unobserve(target)
      action(target)
    }
  }, { rootMargin: "100%" })
  for (const place of document.querySelectorAll(selector)) near.observe(place)
}

// A block of code gets a button that copies it, and not its output.
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

if (button && navigator.clipboard) whenNear("article .highlight:not(.cell_output *)", addButton)

// What is wider than its place can be scrolled from the keyboard; of code and formulas, the page says what may be.
const fits = place => place.scrollWidth <= place.clientWidth
whenNear("article :is(pre, div.math)[tabindex]", block => { if (fits(block)) block.removeAttribute("tabindex") })
whenNear("article .table-wrapper", place => { if (!fits(place)) place.tabIndex = 0 })

// Opened as a file, a page may not read others: search then shows titles without the text around what was found.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false
