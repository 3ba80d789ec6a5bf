import fs from 'node:fs'
import path from 'node:path'
import { LANGUAGES, type Language } from '#rules/members/languages'
import { DATA_DIR } from '#runtime/process/root'
import { nameOf, type State } from './states/state.ts'

export const WINDOWS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]

/** Holds `<language>/<width>/<screen>-<state>.png`. */
export const PICTURES = path.join(DATA_DIR, 'screenshots')

export type Shot = { state: State; window: (typeof WINDOWS)[number]; language: Language }

/** Below `PICTURES`, without extension. */
export const pathOf = ({ state, window, language }: Shot) =>
  path.posix.join(language, String(window.width), nameOf(state))

type Selection = {
  /** Parts of names with commas between them. */
  only?: string
  language?: string
  width?: string
}

export function shotsOf(states: State[], { only, language, width }: Selection): Shot[] {
  const names = (only ?? '').split(',')
  const wanted = states.filter((state) => names.some((name) => nameOf(state).includes(name)))
  const windows = WINDOWS.filter((window) => !width || window.width === Number(width))
  const languages = LANGUAGES.filter((each) => !language || each === language)
  const shots = languages.flatMap((each) =>
    wanted.flatMap((state) => windows.map((window) => ({ state, window, language: each }))),
  )
  // With large text the small phone would be one of 160 px.
  return shots.filter(({ state, window }) => !state.largeText || window.width > 320)
}

/** Names of the pictures of all runs. */
function namesOf(language: string): string[] {
  const names = WINDOWS.flatMap(({ width }) => {
    const folder = path.join(PICTURES, language, String(width))
    return fs.existsSync(folder) ? fs.readdirSync(folder) : []
  })
  return [...new Set(names.filter((name) => name.endsWith('.png')))].sort()
}

function picture(language: string, width: number, name: string): string {
  const file = path.posix.join(language, String(width), name)
  if (!fs.existsSync(path.join(PICTURES, file))) return '<td></td>'
  return `<td><a href="${file}"><img src="${file}" alt="${name} at ${width} px" loading="lazy" /></a></td>`
}

function row(language: string, name: string): string {
  const cells = WINDOWS.map(({ width }) => picture(language, width, name))
  return `<tr><th scope="row">${name.replace('.png', '')}</th>${cells.join('')}</tr>`
}

const escaped = (text: string) => text.replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;'))

/** A row for each state, a column for each window, and the findings on top. */
export function writeIndexPage(findings: string[]): string {
  const widths = WINDOWS.map(({ width, height }) => `<th scope="col">${width} × ${height}</th>`)
  const sections = LANGUAGES.map(
    (language) => `<h2 id="${language}">${language}</h2>
<table><thead><tr><td></td>${widths.join('')}</tr></thead>
<tbody>${namesOf(language)
      .map((name) => row(language, name))
      .join('\n')}</tbody></table>`,
  )
  const list = findings.map((finding) => `<li>${escaped(finding)}</li>`)
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>Screens and states</title>
<style>
  body { background: #222; color: #eee; font: 14px system-ui, sans-serif; margin: 24px }
  a { color: inherit }
  th { text-align: left; vertical-align: top; padding: 8px 16px 8px 0 }
  td { vertical-align: top; padding: 8px }
  img { display: block; max-height: 480px; max-width: 640px; border: 1px solid #555 }
</style>
<h1>Screens and states</h1>
<p>${LANGUAGES.map((language) => `<a href="#${language}">${language}</a>`).join(' ')}</p>
${list.length > 0 ? `<h2>Findings</h2><ul>${list.join('')}</ul>` : ''}
${sections.join('\n')}
</html>
`
  const file = path.join(PICTURES, 'index.html')
  fs.writeFileSync(file, html)
  return file
}
