import type Koa from 'koa'
import { NETWORK_NAME } from '#rules/constants'
import { isLanguage, type Language, languageOf } from '#rules/members/languages'
import type { BuildFiles } from './build-files.ts'

export function languageFor(ctx: Koa.Context): Language {
  const { language } = ctx.query
  return isLanguage(language) ? language : languageOf(ctx.acceptsLanguages())
}

/** All parts are HTML of our own, without input of a request. */
type PlainPage = {
  language: Language
  title: string
  body: string
  links?: string
  head?: string
  build: BuildFiles | undefined
}

const BACK: Record<Language, string> = {
  en: `Back to ${NETWORK_NAME}`,
  vi: `Quay lại ${NETWORK_NAME}`,
}

/** The colours of `client/theme/tokens.css`. */
const STYLE = `
  body{margin:0;background:#070b0c;color:#e8f0ee;font:16px/1.5 "Inter Variable","Inter Fallback",system-ui,sans-serif}
  main{max-width:30rem;margin:0 auto;padding:3rem 1.5rem}
  h1,h2{font-family:"Space Grotesk Variable","Space Grotesk Fallback",system-ui,sans-serif}
  h1{margin:0 0 1.5rem;font-size:1.5rem;line-height:1.25}
  section{margin:1rem 0;padding:1rem 1.25rem;border:1px solid #1b2021;border-radius:1.25rem;background:#0d1414}
  h2{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;margin:0;font-size:1rem}
  p{margin:.75rem 0 0;color:#a5aba9}
  h2+p{margin:.25rem 0 0}
  .on_time{color:#5bf0b5}
  .delayed{color:#f6c453}
  button{min-height:3rem;margin-top:1.5rem;padding:0 1.5rem;border:0;border-radius:.75rem;background:#5bf0b5;color:#04140d;font:inherit;font-weight:600;cursor:pointer}
  button:focus-visible,a:focus-visible{outline:2px solid #5bf0b5;outline-offset:3px}
  a{color:#5bf0b5}
  nav{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin-top:1.5rem}
  nav a{display:inline-flex;min-height:2.75rem;align-items:center}`

/** Works without the client and without scripts. */
export function plainPage({
  language,
  title,
  body,
  links = '',
  head = '',
  build,
}: PlainPage): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<title>${title} · ${NETWORK_NAME}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark">
${head}<link rel="icon" href="/icon.svg" type="image/svg+xml"><style>${build?.fontFaces ?? ''}${STYLE}</style></head>
<body><main><h1>${title}</h1>
${body}
<nav><a href="/">${BACK[language]}</a>${links}</nav>
</main></body></html>`
}
