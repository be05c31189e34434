// Searches sections. Words are split into parts, and two adjacent words are also indexed as one, so that BatchNorm,
// batch_norm and batch norm match each other. Synonyms of the glossary match each other, too.

// Tuned with the queries of tests/pages: the weights of the fields, the weight of a word that the query only begins,
// and the parameters of BM25.
const BOOST = { title: 12, name: 8, asked: 6, of: 3, prose: 1, code: 0.35 }
const BEGINNING = 0.2
const BM25 = { k: 1.2, b: 0.3, d: 0.5 }
// Factors of the score: the exponent for the share of the query that matches, and the factors for adjacent words, for
// a title, name or phrase of readers that is like the query, for one that equals it, for whole pages, which have the
// words of their sections, and for pages that are no chapters.
const COVERED = 3
const BESIDE = 2
const LIKE = 10
const NAMED = { page: 8, section: 3 }
const PAGE = 0.5
const NO_CHAPTER = 0.1
// English words that do not say what is asked about.
const COMMON = `a an the of to in on at by for from with without into is are was be been it its this that these
  those i my me we you your and or as than then so do does did doing how why what when where which who can could should
  would will has have get gets use using used via vs versus about there
  just now very really also please am if but want need`
const TYPED = 5 // longer queries, in words, are not corrected: they were pasted
const MESSAGE = 3 // the fewest words of a title, name or phrase that is looked for within such a query
const EVERYWHERE = 0.7 // the share of the sections from which a word is too frequent to highlight: of, is, with

const american = word =>
  word.replace(/(\w{3})is(?=(?:e[drs]?|ing|ations?)$)/, "$1iz").replace(/(?<=\w{2})our(?=(?:ed|s|al)?$)/, "or")
const stem = word =>
  american(word).replace(/ies$/, "y").replace(/(?<=\w{3}(?<![su]))s$/, "").replace(/(?<=\w{3})(?:ing|ed)$/, "")
    .replace(/([bdgmnrt])\1$/, "$1").replace(/(?<=\w{3})e$/, "").replace(/(?<=\w{3}[ts])ion$/, "")
    .replace(/(?<=\w{4})at$/, "")

// Returns functions that split a text into words. `own` describes a language that attaches particles to nouns and
// joins nouns: the range of its letters, a pattern of the particles and endings, and the forms of the last letter of a
// verb.
const splitter = own => {
  const letters = own ? `[${own.letters}]` : "[]"
  const run = RegExp(`${letters}+|(?:(?!${letters})[\\p{L}\\p{M}\\p{N}])+`, "gu")
  const [begins, ending] = [RegExp(`^${letters}`), own && RegExp(`${own.ending}$`)]
  const isOwn = word => begins.test(word)
  const parts = text =>
    text.normalize("NFKC").replace(/(?<=[a-z\d])(?=[A-Z][a-z])/g, " ").toLowerCase().match(run) ?? []
  const verbs = Object.entries(own?.last ?? {})
  const lastOf = new Map(verbs.flatMap(([last, forms]) => [...forms].map(form => [form, last])))
  const ownStem = word => word.replace(ending, "").replace(/(?<=.).$/, last => lastOf.get(last) ?? last)
  const words = text => parts(text).map(word => isOwn(word) ? ownStem(word) : stem(word))
  return { isOwn, parts, words, own }
}

const neighbours = words => words.slice(1).map((word, i) => words[i] + word)

// Returns a function that returns the terms to index for a text: its words, two adjacent words as one and, for words
// of a language with joined nouns, all their ends.
const indexed = ({ isOwn, words }) => text => {
  const found = words(text)
  const ends = found.filter(isOwn).flatMap(word => [...word.slice(2)].map((_, i) => word.slice(i + 1)))
  return [...found, ...neighbours(found), ...ends]
}

// Returns a function that returns the English word, or two adjacent ones as one, that a word of another language spells:
// that with the same sounds which is in the most sections, or undefined. Fewer sounds than FEWEST do not tell words apart.
const FEWEST = 3
const englishBySound = ({ isOwn, parts, words, own }, sections) => {
  const rules = side => (own?.sounds?.[side] ?? []).map(([pattern, by]) => [RegExp(pattern, "g"), by])
  const [ownRules, englishRules] = [rules("own"), rules("English")]
  const sounds = (word, rules) => rules.reduce((left, rule) => left.replace(...rule), word.normalize("NFD"))
  let found
  const collect = () => {
    const counts = new Map()
    for (const { title, name, asked, prose } of sections) {
      const typed = [title, name, ...asked.split(";"), prose].map(text => parts(text))
      for (const word of new Set(typed.flatMap(some => [...some, ...neighbours(some)])))
        if (/^[a-z]+$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    found = new Map()
    for (const [word] of [...counts].sort(([, a], [, b]) => a - b)) found.set(sounds(word, englishRules), word)
  }
  return word => {
    const sound = isOwn(word) ? sounds(word, ownRules) : ""
    if (sound.length < FEWEST) return undefined
    if (!found) collect()
    return words(found.get(sound) ?? "")[0]
  }
}

// Splits a query into its terms; returns for each term its words, then its synonyms: [[[word, ...], ...], ...].
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
  // `telling` returns the words of a text without the common ones, unless it has no others.
  const common = new Set(words(`${COMMON} ${data.words?.common ?? ""}`))
  const telling = text => {
    const found = words(text)
    const rest = found.filter(word => !common.has(word))
    return rest.length ? rest : found
  }
  const sameMeaning = data.sameMeaning.map(group => group.map(telling))
  const same = new Set(sameMeaning.flat(2))
  const sections = data.pages.flatMap(([page, isChapter, found]) => {
    const [of, name] = [found[0][1], page.split("/").at(-1)]
    const place = id => id ? { page, isChapter, id, of, name: "" } : { page, isChapter, id, of: "", name }
    return found.map(([id, title, prose, code, asked]) => ({ ...place(id), title, prose, code, asked }))
  })
  const phrases = [] // the titles, names and phrases of readers: { key, joined, length }, of the section with this key
  const phrasesWith = new Map() // from a word, or two adjacent ones as one, to the positions in `phrases`
  sections.forEach((section, key) => {
    section.key = key
    for (const found of [section.title, section.name, ...section.asked.split(";")].map(telling)) {
      if (!found.length) continue
      for (const word of new Set([...found, ...neighbours(found)])) {
        if (!phrasesWith.has(word)) phrasesWith.set(word, [])
        phrasesWith.get(word).push(phrases.length)
      }
      phrases.push({ key, joined: found.join(""), length: found.length })
    }
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

  // Returns a map from each matching section to its best score for a term, given as synonyms.
  const bestOf = forms => {
    const best = new Map()
    for (const form of forms) {
      const ways = [form, neighbours(form)].filter(words => words.length)
      for (const { id, score } of lookUp(ways.map(queries => ({ queries, combineWith: "AND" })), "OR"))
        best.set(id, Math.max(best.get(id) ?? 0, score))
    }
    return best
  }

  const phrasesWithAll = words => words.map(word => phrasesWith.get(word) ?? []).reduce((some, others) => {
    const both = new Set(others)
    return some.filter(position => both.has(position))
  })

  // Returns a map from each section to its phrase that is most like the query: the share of the query that the phrase
  // has, times the share of the phrase that the query has. `parts` are [synonyms, rarity].
  const likeness = parts => {
    const hits = new Map()
    for (const [forms, rare] of parts) {
      const ways = forms.flatMap(form => form.length > 1 ? [form, [form.join("")]] : [form])
      for (const position of new Set(ways.flatMap(phrasesWithAll))) {
        const [of, share] = hits.get(position) ?? [0, 0]
        hits.set(position, [of + forms[0].length, share + rare])
      }
    }
    const all = parts.reduce((sum, [, rare]) => sum + rare, 0)
    const most = new Map()
    for (const [position, [of, share]] of hits) {
      const { key, length } = phrases[position]
      most.set(key, Math.max(most.get(key) ?? 0, share / all * Math.min(1, of / length)))
    }
    return most
  }

  const find = text => {
    const query = telling(text)
    const parts = meanings(query, sameMeaning)
    const pairs = [...new Set(neighbours(words(text)))]
    const near = new Map()
    for (const pair of pairs)
      for (const { id } of exactly(pair)) near.set(id, (near.get(id) ?? 0) + 1 / pairs.length)
    const [sums, covered] = [new Map(), new Map()]
    const matching = []
    for (const forms of parts) {
      const best = bestOf(forms)
      if (!best.size) continue
      const rare = Math.log(1 + sections.length / best.size)
      matching.push([forms, rare])
      for (const [id, score] of best) {
        sums.set(id, (sums.get(id) ?? 0) + score)
        covered.set(id, (covered.get(id) ?? 0) + rare)
      }
    }
    const all = matching.reduce((sum, [, rare]) => sum + rare, 0)
    const like = likeness(matching)
    const whole = new Set((parts.length === 1 ? parts[0] : [query]).map(form => form.join("")))
    const pasted = query.length > TYPED ? query.join("") : ""
    const isNamed = ({ joined, length }) => whole.has(joined) || (length >= MESSAGE && pasted.includes(joined))
    const named = new Set(phrases.filter(isNamed).map(({ key }) => key))
    const found = [...sums].map(([id, sum]) => {
      const section = sections[id]
      const score = sum * (covered.get(id) / all) ** COVERED * (1 + BESIDE * (near.get(id) ?? 0))
        * (1 + LIKE * (like.get(id) ?? 0)) * (named.has(id) ? NAMED[section.id ? "section" : "page"] : 1)
        * (section.id ? 1 : PAGE) * (section.isChapter ? 1 : NO_CHAPTER)
      return { section, score }
    })
    return found.sort((a, b) => b.score - a.score)
  }

  // Spelling correction: `correct` replaces each word of a query that matches nothing. Joined nouns are separated, and a
  // word in the spelling of another language becomes the English one. Otherwise it becomes the most similar indexed word:
  // that with two adjacent letters swapped, or with the fewest wrong letters. Ties go to the word in the most sections.
  const isKnown = word => same.has(word) || lookUp([word], "OR").length > 0
  const places = (word, options) => {
    const count = new Map()
    for (const { terms } of index.search(word, { tokenize: word => [word], ...options }))
      for (const term of terms) count.set(term, (count.get(term) ?? 0) + 1)
    return [...count]
  }
  const swapped = word => [...word].slice(1).map((letter, i) => word.slice(0, i) + letter + word[i] + word.slice(i + 2))
  const nearest = word => {
    const most = Math.floor(word.length / (isOwn(word) ? 3 : 4)) // the number of letters that may be wrong
    for (let fuzzy = 1; fuzzy <= most; fuzzy++) {
      const swaps = swapped(word).flatMap(words).flatMap(one => places(one))
      const found = [...swaps, ...places(word, { fuzzy })]
      if (found.length) return found.reduce((best, one) => one[1] > best[1] ? one : best)[0]
    }
    return word
  }
  const english = englishBySound(language, sections)
  const joined = word => {
    const cuts = [...word].slice(3).map((_, i) => [word.slice(0, i + 2), word.slice(i + 2)])
    return cuts.find(parts => parts.every(part => isKnown(part) || english(part)))?.map(spelled).join(" ")
  }
  const spelled = word => isKnown(word) ? word : english(word)
  const replaced = word => spelled(word) ?? ((isOwn(word) && joined(word)) || nearest(word))
  const corrected = typed => {
    const found = words(typed)
    return found.every(isKnown) ? typed : found.map(replaced).join(" ")
  }
  const correct = text => {
    const typed = text.split(" ")
    return typed.length > TYPED ? text : typed.map(corrected).join(" ")
  }

  // For highlighting: returns a function that returns the words of the query, or their synonyms, that occur in a given
  // word or begin it. Words in nearly all sections are ignored, unless the query has no others.
  const wantedBy = text => {
    const all = [...new Set(meanings(telling(text), sameMeaning).flat(2))]
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
