// Works without it, too: links lead to the top of the other language's page, and code is copied by hand.

// What is remembered in this browser; one that forbids it remembers nothing, and all else works.
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

// The choice of a language is remembered for the front door. To another language or edition, the section that is being
// read comes along, and what was searched for.
const current = () => [...document.querySelectorAll("article section[id]")]
  .filter(section => section.getBoundingClientRect().top < innerHeight / 3).at(-1)

for (const link of document.querySelectorAll(".languages a, .releases a, .frozen a"))
  link.addEventListener("click", () => {
    if (link.hreflang) remember("language", link.hreflang)
    link.hash = scrollY > 0 && current() ? current().id : ""
    link.search = location.search
  })

// What lies above the page goes once something else is pressed, or a link in it.
const editions = document.querySelector(".releases")
addEventListener("click", ({ target }) => { if (editions && !target.closest(".releases summary")) editions.open = false })
addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !editions?.open) return
  if (editions.contains(document.activeElement)) editions.querySelector("summary").focus()
  editions.open = false
})
for (const link of document.querySelectorAll(".toc-drawer a"))
  link.addEventListener("click", () => { document.getElementById("__toc").checked = false })

// Writing into a cell or measuring it costs time, so it is done once, when the reader comes near.
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
for (const place of document.querySelectorAll("article .table-wrapper")) if (!fits(place)) place.tabIndex = 0

// Code that is too wide gets a button that wraps the lines of all code, on all pages, until it is touched again. What
// goes on below begins further right than its line, so each line becomes an element that knows how far it is indented.
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

// Questions: what is chosen when the answer is opened counts, until it is closed again. It is kept in this browser only,
// with the right letters, so that what was kept of other questions is forgotten.
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
