// Shows the results of `makeSearch` of search.js. Text from the reader or from a page is never inserted as HTML.

const SHOWN = 20 // results, at first and with each click on "More"
const AROUND = 220 // the length of an excerpt in characters

const LONGEST = 300 // longer queries are cut to this number of characters

const query = [...new URLSearchParams(location.search).get("q")?.trim() ?? ""].slice(0, LONGEST).join("")
const place = document.getElementById("search-results")
const summary = document.querySelector(".search-summary")

// Returns the excerpt of a text with the most different words of the query: `parts`, an array of [text, whether to
// highlight it], and `hits`, the number of matching words in the whole text.
const excerpt = (text, stemsOf) => {
  const hits = [...text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)]
    .map(({ 0: word, index }) => ({ word, index, stems: stemsOf(word) }))
    .filter(({ stems }) => stems.length)
  const until = start => hits.filter(({ index }) => index >= start && index < start + AROUND)
  const different = start => new Set(until(start).flatMap(({ stems }) => stems)).size
  const starts = hits.map(({ index }) => index)
  const first = starts.reduce((best, start) => different(start) > different(best) ? start : best, starts[0] ?? 0)
  const start = text.lastIndexOf(" ", Math.max(0, first - 40)) + 1
  const end = first + AROUND < text.length ? text.indexOf(" ", first + AROUND) + 1 || text.length : text.length
  const parts = start ? [["… ", false]] : []
  let at = start
  for (const { word, index } of hits.filter(({ index }) => index >= start && index < end)) {
    parts.push([text.slice(at, index), false], [word, true])
    at = index + word.length
  }
  parts.push([text.slice(at, end) + (end < text.length ? "…" : ""), false])
  return { parts, hits: hits.length }
}

const write = (element, parts) => element.append(...parts.map(([text, marked]) =>
  marked ? Object.assign(document.createElement("mark"), { textContent: text }) : text))

const item = ({ section }, stemsOf) => {
  const result = document.getElementById("search-result").content.firstElementChild.cloneNode(true)
  const link = result.querySelector("a")
  write(link, [[section.title, false]])
  result.querySelector(".of").textContent = section.of
  const [prose, code] = [excerpt(section.prose, stemsOf), excerpt(section.code, stemsOf)]
  const inCode = code.hits > 0 && prose.hits === 0
  const { parts } = inCode ? code : prose
  write(result.querySelector(inCode ? "code" : "p"), parts)
  const marked = new Set(parts.filter(([, marked]) => marked).map(([word]) => word))
  const highlight = marked.size ? `?highlight=${encodeURIComponent([...marked].join(" "))}` : ""
  link.href = `${section.page}.html${highlight}${section.id && `#${section.id}`}`
  result.querySelector(inCode ? "p" : "code").remove()
  return result
}

const show = (found, stemsOf, said) => {
  const more = place.querySelector("button")
  const list = place.querySelector("ol")
  const add = () => {
    const from = list.children.length
    list.append(...found.slice(from, from + SHOWN).map(one => item(one, stemsOf)))
    more.hidden = list.children.length >= found.length
    if (from) list.children[from].querySelector("a").focus()
  }
  more.addEventListener("click", add)
  add()
  summary.textContent = found.length ? `${said}: ${found.length}` : summary.dataset.nothing
}

const fail = () => { summary.textContent = summary.dataset.failed }

globalThis.searchIn = data => {
  try {
    const search = makeSearch(data)
    const meant = search.correct(query)
    const said = meant === query ? summary.dataset.found : summary.dataset.similar
    show(search.find(meant), search.wantedBy(meant), said)
  } catch (error) {
    fail()
    throw error
  }
}

document.querySelector("article input[type=search]").value = query
if (query) {
  summary.textContent = summary.dataset.waiting
  const script = Object.assign(document.createElement("script"), { src: place.dataset.sections })
  script.addEventListener("error", fail)
  document.head.append(script)
}
