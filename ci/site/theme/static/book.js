// Pages also work without this script: links to other languages then lead to the top of the page, and code must be
// copied by hand.

// Read and write localStorage; if the browser forbids that, nothing is stored, and everything else works.
const recall = key => {
  try {
    return JSON.parse(localStorage.getItem(key))
  } catch {
    return null
  }
}

const remember = (key, value) => {
  try {
    localStorage.setItem(key, value)
  } catch {
    return
  }
}

// Links to other languages and editions: the chosen language is stored for the index page of the site, and the link
// gets the id of the section that is being read, and the search query.
const current = () => [...document.querySelectorAll("article section[id]")]
  .filter(section => section.getBoundingClientRect().top < innerHeight / 3).at(-1)

for (const link of document.querySelectorAll(".languages a, .releases a, .frozen a"))
  link.addEventListener("click", () => {
    if (link.hreflang) remember("language", link.hreflang)
    link.hash = scrollY > 0 && current() ? current().id : ""
    link.search = location.search
  })

// The menu of editions closes on a click elsewhere or Escape; the table of contents on a phone closes on a click on
// one of its links.
const editions = document.querySelector(".releases")
addEventListener("click", ({ target }) => { if (editions && !target.closest(".releases summary")) editions.open = false })
addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !editions?.open) return
  if (editions.contains(document.activeElement)) editions.querySelector("summary").focus()
  editions.open = false
})
for (const link of document.querySelectorAll(".toc-drawer a"))
  link.addEventListener("click", () => { document.getElementById("__toc").checked = false })

// Calls `action` once for each element that matches the selector, when the reader has scrolled near to it: changing or
// measuring all elements at once would be slow.
const whenNear = (selector, action) => {
  const near = new IntersectionObserver(entries => {
    for (const { target } of entries.filter(entry => entry.isIntersecting)) {
      near.unobserve(target)
      action(target)
    }
  }, { rootMargin: "100%" })
  for (const place of document.querySelectorAll(selector)) near.observe(place)
}

// Adds a copy button to each block of code, but not to outputs.
const button = document.getElementById("copy")?.content.firstElementChild

const copies = (copy, read) => {
  const label = copy.textContent
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(await read())
    copy.style.minWidth = `${copy.offsetWidth}px` // so that nothing beside it moves
    copy.textContent = copy.dataset.done
    setTimeout(() => { copy.textContent = label }, 2000)
  })
}
const addButton = block => {
  const copy = block.appendChild(button.cloneNode(true))
  copies(copy, () => block.querySelector("pre").textContent)
}

if (button && navigator.clipboard) whenNear("article .highlight:not(.cell_output *, .cell-output *)", addButton)

// Enables the button that copies the page as Markdown. A page that was opened as a file cannot read another file.
const pageCopy = document.querySelector(".page-tools .copy")
if (pageCopy && navigator.clipboard && location.protocol !== "file:") {
  copies(pageCopy, async () => (await fetch(pageCopy.previousElementSibling.href)).text())
  pageCopy.disabled = false
}

// Makes wide elements focusable, so that the keyboard can scroll them. Code and formulas that may be too wide have a
// `tabindex` already, which is removed if they fit.
const fits = place => place.scrollWidth <= place.clientWidth
whenNear("article :is(pre, div.math)[tabindex]", block => { if (fits(block)) block.removeAttribute("tabindex") })
for (const place of document.querySelectorAll("article .table-wrapper")) if (!fits(place)) place.tabIndex = 0

// Adds to each block of code that is too wide a button that toggles the wrapping of lines, for all code on all pages.
// A wrapped line continues with a hanging indent, so each line becomes an element with the variable `--indent`.
const WRAP = "wrap-lines"

const splitIntoLines = pre => {
  const lines = []
  const texts = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (pre.textContent) {
    texts.currentNode = pre
    while (texts.nextNode() && !texts.currentNode.data.includes("\n"));
    const end = texts.currentNode.data?.indexOf("\n") ?? -1
    range.setStart(pre, 0)
    if (end < 0) range.setEnd(pre, pre.childNodes.length)
    else range.setEnd(texts.currentNode, end + 1)
    const line = document.createElement("span")
    line.className = "line"
    line.append(range.extractContents())
    line.style.setProperty("--indent", line.textContent.search(/\S|$/))
    lines.push(line)
  }
  pre.replaceChildren(...lines)
}

let wrapping = recall(WRAP) === true
const isWrapped = block => block.classList.contains(WRAP)

const wrap = block => {
  const pre = block.querySelector("pre")
  const control = block.querySelector(".wrap") ?? document.getElementById("wrap").content.firstElementChild.cloneNode(true)
  control.setAttribute("aria-pressed", wrapping)
  if (!isWrapped(block) && fits(pre)) return
  if (wrapping && !pre.querySelector(".line")) splitIntoLines(pre)
  block.classList.toggle(WRAP, wrapping)
  if (control.isConnected) return
  control.addEventListener("click", () => {
    wrapping = !wrapping
    remember(WRAP, wrapping)
    for (const other of document.querySelectorAll("article .wrap")) wrap(other.parentElement)
  })
  block.append(control)
}

const wrapWhenNear = () => whenNear("article .highlight", wrap)
wrapWhenNear()
matchMedia("(orientation: portrait)").addEventListener("change", wrapWhenNear)

// Questions: the option that is selected when the answer is opened counts until the answer is closed. The choices are
// stored in this browser only, together with the right letters: if these differ later, the stored choices are ignored.
const quiz = document.querySelector(".questions")
const questions = [...quiz?.querySelectorAll("fieldset") ?? []]
const QUIZ = `questions:${quiz?.dataset.page}`
const edition = questions.map(question => question.dataset.right).join("")
const answerOf = question => question.querySelector("details")
const choiceOf = question => question.querySelector("input:checked")

const judge = () => {
  const score = quiz.querySelector("[role=status]")
  const chosen = questions.map(question => answerOf(question).open && choiceOf(question)?.value)
  const isRight = (question, number) => chosen[number] === question.dataset.right
  for (const [number, question] of questions.entries()) {
    question.querySelector(".verdict")?.remove()
    for (const input of question.querySelectorAll("input")) input.disabled = Boolean(chosen[number])
    if (!chosen[number]) continue
    const mark = Object.assign(document.createElement("b"), { className: "verdict" })
    mark.textContent = isRight(question, number) ? ` ✓ ${score.dataset.right}` : ` ✗ ${score.dataset.wrong}`
    choiceOf(question).parentElement.append(mark)
  }
  const right = questions.filter(isRight).length
  const said = score.dataset.said.replace("{right}", right).replace("{total}", questions.length)
  score.textContent = chosen.some(Boolean) ? said : ""
  return chosen
}

const kept = recall(QUIZ)
for (const [number, question] of questions.entries()) {
  const letter = kept?.right === edition && Array.isArray(kept.chosen) && kept.chosen[number]
  const input = [...question.querySelectorAll("input")].find(({ value }) => value === letter)
  if (input) input.checked = answerOf(question).open = true
  answerOf(question).addEventListener("toggle", () => {
    const chosen = judge()
    remember(QUIZ, JSON.stringify({ right: edition, chosen }))
  })
}
if (quiz) judge()
