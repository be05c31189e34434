// Finds sections by what a reader types. Words are indexed by their parts, and two neighbours also as one word, so
// that BatchNorm, batch_norm and batch norm are the same. What the glossary calls the same is searched for, too.

// Found by trying others on the questions of tests/pages: what a word counts by where it stands, how much less one
// that only begins as was typed, and how BM25 weighs frequent words and long texts.
const BOOST = { title: 12, name: 8, asked: 6, of: 3, prose: 1, code: 0.35 }
const BEGINNING = 0.2
const BM25 = { k: 1.2, b: 0.3, d: 0.5 }
// All parts of a query before some, neighbours beside each other, what has that name, chapters before other pages.
const COVERED = 3
const BESIDE = 2
const NAMED = { page: 8, section: 3 }
const NO_CHAPTER = 0.2
const TYPED = 5 // words; who searches for more has pasted them, and they are right
const EVERYWHERE = 0.7 // of the sections: of, is, with

const american = word =>
  word.replace(/(\w{3})is(?=(?:e[drs]?|ing|ations?)$)/, "$1iz").replace(/(?<=\w{2})our(?=(?:ed|s|al)?$)/, "or")
const stem = word =>
  american(word).replace(/ies$/, "y").replace(/(?<=\w{3}(?<![su]))s$/, "").replace(/(?<=\w{3})(?:ing|ed)$/, "")
    .replace(/(?<=\w{3})e$/, "")

// How a text is split into words. `own` is of a language that writes particles to its nouns, and nouns together.
const splitter = own => {
  const letters = own ? `[${own.letters}]` : "[]"
  const run = RegExp(`${letters}+|(?:(?!${letters})[\\p{L}\\p{M}\\p{N}])+`, "gu")
  const [begins, ending] = [RegExp(`^${letters}`), own && RegExp(`(?<=..)${own.ending}$`)]
  const isOwn = word => begins.test(word)
  const parts = text =>
    text.normalize("NFKC").replace(/(?<=[a-z\d])(?=[A-Z][a-z])/g, " ").toLowerCase().match(run) ?? []
  const words = text => parts(text).map(word => isOwn(word) ? word.replace(ending, "") : stem(word))
  return { isOwn, words }
}

const neighbours = words => words.slice(1).map((word, i) => words[i] + word)

// What a text is indexed by: its words, neighbours as one word, and of a noun of several nouns its ends.
const indexed = ({ isOwn, words }) => text => {
  const found = words(text)
  const ends = found.filter(isOwn).flatMap(word => [...word.slice(2)].map((_, i) => word.slice(i + 1)))
  return [...found, ...neighbours(found), ...ends]
}

// The parts of a query, each with all forms of the same meaning, its own first: [[[word, ...], ...], ...]
const meanings = (query, sameMeaning) => {
  const found = []
  for (let i = 0; i < query.length;) {
    const fits = form => form.length > 0 && form.every((word, j) => query[i + j] === word)
    const length = Math.max(1, ...sameMeaning.flat().filter(fits).map(form => form.length))
    const same = sameMeaning.filter(group => group.some(form => form.length === length && fits(form)))
    found.push([query.slice(i, i + length), ...same.flat()])
    i += length
  }
  return found
}

const makeSearch = data => {
  const language = splitter(data.words)
  const { words, isOwn } = language
  const sameMeaning = data.sameMeaning.map(group => group.map(words))
  const same = new Set(sameMeaning.flat(2))
  const sections = data.pages.flatMap(([page, isChapter, found]) => {
    const [of, name] = [found[0][1], page.split("/").at(-1)]
    const place = id => id ? { page, isChapter, id, of, name: "" } : { page, isChapter, id, of: "", name }
    return found.map(([id, title, prose, code, asked]) => ({ ...place(id), title, prose, code, asked }))
  })
  sections.forEach((section, key) => {
    const names = [section.title, section.name, ...section.asked.split(";")]
    Object.assign(section, { key, names: new Set(names.map(name => words(name).join(""))) })
  })
  const index = new MiniSearch({
    fields: Object.keys(BOOST),
    idField: "key",
    tokenize: indexed(language),
    processTerm: term => term,
  })
  index.addAll(sections)

  const lookUp = (queries, combineWith) => index.search({ queries, combineWith }, {
    tokenize: word => [word],
    prefix: word => isOwn(word) || word.length > 3,
    weights: { prefix: BEGINNING, fuzzy: 0 },
    boost: BOOST,
    bm25: BM25,
  })

  const exactly = word => index.search(word, { tokenize: word => [word] })

  // The best score of a section for one of several forms of the same meaning.
  const bestOf = forms => {
    const best = new Map()
    for (const form of forms) {
      const ways = [form, neighbours(form)].filter(words => words.length)
      for (const { id, score } of lookUp(ways.map(queries => ({ queries, combineWith: "AND" })), "OR"))
        best.set(id, Math.max(best.get(id) ?? 0, score))
    }
    return best
  }

  const find = text => {
    const query = words(text)
    const parts = meanings(query, sameMeaning)
    const pairs = [...new Set(neighbours(query))]
    const near = new Map()
    for (const pair of pairs)
      for (const { id } of exactly(pair)) near.set(id, (near.get(id) ?? 0) + 1 / pairs.length)
    const [sums, covered] = [new Map(), new Map()]
    let all = 0
    for (const best of parts.map(bestOf).filter(({ size }) => size)) {
      const rare = Math.log(1 + sections.length / best.size)
      all += rare
      for (const [id, score] of best) {
        sums.set(id, (sums.get(id) ?? 0) + score)
        covered.set(id, (covered.get(id) ?? 0) + rare)
      }
    }
    const whole = (parts.length === 1 ? parts[0] : [query]).map(form => form.join(""))
    const found = [...sums].map(([id, sum]) => {
      const section = sections[id]
      const isNamed = whole.some(name => section.names.has(name))
      const named = isNamed ? NAMED[section.id ? "section" : "page"] : 1
      const score = sum * (covered.get(id) / all) ** COVERED * (1 + BESIDE * (near.get(id) ?? 0)) * named
        * (section.isChapter ? 1 : NO_CHAPTER)
      return { section, score }
    })
    return found.sort((a, b) => b.score - a.score)
  }

  // A query with the words that are nowhere replaced by those they probably are: with two letters swapped, or with as
  // few wrong as possible; of several, the one in the most sections.
  const isKnown = word => same.has(word) || lookUp([word], "OR").length > 0
  const places = (word, options) => {
    const count = new Map()
    for (const { terms } of index.search(word, { tokenize: word => [word], ...options }))
      for (const term of terms) count.set(term, (count.get(term) ?? 0) + 1)
    return [...count]
  }
  const swapped = word => [...word].slice(1).map((letter, i) => word.slice(0, i) + letter + word[i] + word.slice(i + 2))
  const nearest = word => {
    const most = Math.floor(word.length / (isOwn(word) ? 3 : 4)) // letters that may be wrong
    for (let fuzzy = 1; fuzzy <= most; fuzzy++) {
      const swaps = swapped(word).flatMap(words).flatMap(one => places(one))
      const found = [...swaps, ...places(word, { fuzzy })]
      if (found.length) return found.reduce((best, one) => one[1] > best[1] ? one : best)[0]
    }
    return word
  }
  const corrected = typed => {
    const found = words(typed)
    return found.every(isKnown) ? typed : found.map(word => isKnown(word) ? word : nearest(word)).join(" ")
  }
  const correct = text => {
    const typed = text.split(" ")
    return typed.length > TYPED ? text : typed.map(corrected).join(" ")
  }

  // Which words of a query, or of the same meaning, stand in a word or begin it; without those that stand nearly
  // everywhere, unless there are no others.
  const wantedBy = text => {
    const all = [...new Set(meanings(words(text), sameMeaning).flat(2))]
    const rare = all.filter(one => exactly(one).length < sections.length * EVERYWHERE)
    const wanted = rare.length ? rare : all
    return word => {
      const stems = words(word)
      const whole = new Set([...stems, ...neighbours(stems)])
      const begins = one => one.length > 3 && stems.some(other => other.startsWith(one))
      return wanted.filter(one =>
        whole.has(one) || begins(one) || (isOwn(one) && stems.some(other => other.includes(one))))
    }
  }

  return { find, correct, wantedBy }
}
