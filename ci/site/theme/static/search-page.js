// Shows what `makeSearch` of search.js finds. All that comes from the reader or from a page is set as text.

const SHOWN = 20 // results at first, and at each touch of "more"
const AROUND = 220 // characters of an excerpt

const query = new URLSearchParams(location.search).get("q")?.trim() ?? ""
const place = document.getElementById("search-results")
const summary = document.querySelector(".search-summary")

// The part of a text with the most different words that were searched for, as [text, whether it is one of them].
const excerpt = (text, stemsOf) => {
  const hits = [...text.matchAll(/[\p{L}\p{N}_]+/gu)]
    .map(({ 0: word, index }) => ({ word, index, stems: stemsOf(word) }))
    .filter(({ stems }) => stems.length)
  const until = start => hits.filter(({ index }) => index >= start && index < start + AROUND)
  const different = start => new Set(until(start).flatMap(({ stems }) => stems)).size
  const starts = hits.map(({ index }) => index)
  const first = starts.reduce((best, start) => different(start) > different(best) ? start : best, starts[0] ?? 0)
  const start = text.lastIndexOf(" ", Math.max(0, first - 40)) + 1
  const end = start + AROUND < text.length ? text.indexOf(" ", start + AROUND) + 1 || text.length : text.length
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
  const marked = `?highlight=${encodeURIComponent(query.slice(0, LONGEST))}`
  link.href = `${section.page}.html${marked}${section.id && `#${section.id}`}`
  write(link, [[section.title, false]])
  result.querySelector(".of").textContent = section.of
  const [prose, code] = [excerpt(section.prose, stemsOf), excerpt(section.code, stemsOf)]
  const inCode = code.hits > 0 && prose.hits === 0
  write(result.querySelector(inCode ? "code" : "p"), (inCode ? code : prose).parts)
  result.querySelector(inCode ? "p" : "code").remove()
  return result
}

const show = (found, stemsOf) => {
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
  summary.textContent = found.length ? `${summary.dataset.found}: ${found.length}` : summary.dataset.nothing
}

globalThis.searchIn = data => {
  const search = makeSearch(data)
  show(search.find(query), search.wantedBy(query))
}

document.querySelector("article input[type=search]").value = query.slice(0, LONGEST)
if (query) {
  summary.textContent = summary.dataset.waiting
  document.head.append(Object.assign(document.createElement("script"), { src: place.dataset.sections }))
}
