// Explorable figures: one slider for the curves that are shown, one for where they are read. The curves are stored;
// nothing is computed. If they cannot be read, the picture stays.
const ticks = (from, to) => { // at most nine round numbers
  const power = 10 ** Math.floor(Math.log10((to - from) / 8))
  const step = power * ([2, 5].find(factor => 8 * factor * power >= to - from) ?? 10)
  const first = Math.ceil(from / step)
  const count = Math.floor(to / step) - first + 1
  return Array.from({ length: count }, (_, number) => Number(((first + number) * step).toPrecision(3)))
}

const explore = template => {
  const [{ slider, x, y, at }, ...curves] = JSON.parse(template.dataset.curves)
  const known = values => values.filter(value => value !== null)
  const all = curves.flatMap(({ values }) => known(values))
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const whole = curves.every(({ values }) => values.length === at.length) && [...at, ...all].every(Number.isFinite)
  if (!(whole && low < high && at[0] < at.at(-1))) throw new TypeError("the curves of a figure cannot be drawn")
  const choices = [...new Set(curves.map(({ choice }) => choice))]
  const parts = template.content.firstElementChild.cloneNode(true)
  const [svg, first, second, output] = parts.children
  const inputs = [first, second].map(label => label.children[1])

  let width
  const draw = () => {
    const [choice, end] = inputs.map(({ valueAsNumber }) => valueAsNumber)
    width = parts.clientWidth
    const height = Math.min(320, Math.max(220, width / 2))
    const across = value => 40 + (width - 56) * (value - at[0]) / (at.at(-1) - at[0])
    const up = value => height - 22 - (height - 48) * (value - low) / (high - low)
    const add = (name, attributes, text = "") => {
      const part = svg.appendChild(document.createElementNS(svg.namespaceURI, name))
      for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value)
      part.textContent = text
    }
    const line = (values, kind) => add("path", { class: kind, d: values.map((value, number) => value === null ? "" :
      `${Number.isFinite(values[number - 1]) ? "L" : "M"}${across(at[number])} ${up(value)}`).join("") })
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
    svg.replaceChildren()
    for (const value of ticks(low, high)) {
      add("path", { d: `M40 ${up(value)}H${width - 16}` })
      add("text", { x: 34, y: up(value) + 4, "text-anchor": "end" }, value)
    }
    for (const value of ticks(at[0], at.at(-1)))
      add("text", { x: across(value), y: height - 4, "text-anchor": "middle" }, value)
    add("text", { x: 0, y: 12 }, y)
    add("path", { d: `M${across(at[end])} 20V${height - 22}` })
    const shown = curves.filter(curve => curve.choice === choices[choice])
    output.replaceChildren(...shown.map(({ label, values }, number) => {
      const until = values.slice(0, end + 1)
      const best = until.indexOf(Math.min(...known(until)))
      const read = place => until[place]?.toPrecision(3) ?? "–"
      line(values, `curve-${number} later`)
      line(until, `curve-${number}`)
      if (best >= 0) add("circle", { cx: across(at[best]), cy: up(until[best]), r: 4, class: `curve-${number}` })
      const words = { line: label, x, at: at[end], value: read(end), lowest: read(best), where: at[best] ?? "–" }
      const textContent = output.dataset.said.replace(/\{(\w+)\}/g, (_, name) => words[name])
      return Object.assign(document.createElement("span"), { className: `curve-${number}`, textContent })
    }))
    for (const [row, label, position] of [[first, slider, choices[choice]], [second, x, at[end]]]) {
      row.firstElementChild.textContent = label
      row.lastElementChild.textContent = position
      row.children[1].setAttribute("aria-valuetext", position)
    }
  }

  for (const [number, { length }] of [choices, at].entries())
    Object.assign(inputs[number], { max: length - 1, value: number ? length - 1 : length >> 1, oninput: draw })
  svg.setAttribute("aria-label", template.parentElement.querySelector("img").alt)
  template.after(parts)
  draw()
  template.parentElement.classList.add("explored")
  new ResizeObserver(() => { if (width !== parts.clientWidth) draw() }).observe(parts)
}

for (const template of document.querySelectorAll(".explorable template"))
  try { explore(template) } catch (error) { console.warn(error) }
