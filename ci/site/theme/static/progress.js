// Reading progress: the chapters that were read to their end, and the section where the reader stopped. It is kept in
// this browser only: {"read": [page, ...], "last": {"page": page, "section": id, "heading": text, "language": code}}.
// What is kept may be broken or older.
const PROGRESS = "progress"
const root = new URL(document.documentElement.dataset.content_root, location).pathname
const here = document.querySelector(".page-tools")?.dataset.page

const progress = () => {
  const { read, last } = recall(PROGRESS) ?? {}
  return { read: Array.isArray(read) ? read : [], last: typeof last?.page === "string" ? last : null }
}

const pageOf = link => link.pathname.slice(root.length).replace(/\.html$/, "")
const contents = () => [...document.querySelectorAll(".sidebar-tree a.reference")]
const answersOf = page => [recall(`questions:${page}`)?.chosen].flat().filter(Boolean).length

// Marks the links to the chapters that were read.
const mark = () => {
  const { read } = progress()
  for (const link of [...contents(), ...document.querySelectorAll(".gallery a")]) {
    link.querySelector(".read")?.remove()
    if (read.includes(pageOf(link)))
      link.append(document.getElementById("read-mark").content.firstElementChild.cloneNode(true))
  }
}

const keep = change => {
  remember(PROGRESS, JSON.stringify({ ...progress(), ...change }))
  mark()
}

// A chapter is read when its end has been on the screen.
const end = document.querySelector(".related-pages")
if (here && end) {
  new IntersectionObserver((entries, observer) => {
    if (!entries.some(entry => entry.isIntersecting)) return
    observer.disconnect()
    keep({ read: [...new Set([...progress().read, here])] })
  }).observe(end)
  // On a phone, a page that is left may end without another event.
  const stop = () => {
    const section = (scrollY > 0 && current()?.id) || ""
    const heading = document.querySelector(`.toc-tree ul ul a[href="#${section}"]`)?.textContent
    keep({ last: { page: here, section, heading, language: document.documentElement.lang } })
  }
  addEventListener("pagehide", stop)
  addEventListener("visibilitychange", () => document.hidden && stop())
}

// The front page says how far the reader is, and leads to the section where the reader stopped.
const report = summary => {
  const { read, last } = progress()
  const chapters = new Map(contents().map(link => [pageOf(link), link]))
  const pages = [...chapters.keys()]
  const counts = {
    read: pages.filter(page => read.includes(page)).length,
    answers: pages.reduce((sum, page) => sum + answersOf(page), 0),
  }
  const [said, again, forget] = summary.children
  said.textContent = said.dataset.said.replace(/\{(\w+)\}/g, (_, name) => counts[name])
  const link = chapters.get(last?.page)
  again.hidden = !link
  if (link) {
    const title = link.firstChild.textContent
    const isReadable = typeof last.heading === "string" && last.language === document.documentElement.lang
    const place = isReadable ? `${title}: ${last.heading}` : title
    again.textContent = again.dataset.said.replace("{title}", () => place)
    again.href = link.href
    again.hash = String(last.section)
  }
  summary.hidden = !(link || counts.read || counts.answers)
  forget.onclick = () => {
    const kept = [PROGRESS, ...pages.map(page => `questions:${page}`)].filter(recall)
    for (const key of kept) remember(key, "null")
    mark()
    report(summary)
  }
}

mark()
const notice = document.getElementById("reader-progress")
if (notice) {
  const [said] = notice.content.children
  document.querySelector("article h1").after(said)
  report(said)
}
