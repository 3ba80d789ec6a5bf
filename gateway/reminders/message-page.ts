import { NETWORK_NAME } from '#rules/constants'
import type { Language } from '#rules/languages'

/** A page of one message; with a button it is a form that posts to its own URL. */
export type Message = { title: string; text: string; button?: string; back: string }

const STYLE = `
  body{margin:0;background:#070b0c;color:#e8f0ee;font:16px/1.5 Inter,system-ui,sans-serif}
  main{max-width:30rem;margin:0 auto;padding:3rem 1.5rem}
  h1{font-size:1.5rem;line-height:1.25}
  p{color:#a5aba9}
  button{min-height:3rem;padding:0 1.5rem;border:0;border-radius:1rem;background:#5bf0b5;color:#04120d;font:inherit;font-weight:600;cursor:pointer}
  button:focus-visible,a:focus-visible{outline:2px solid #5bf0b5;outline-offset:3px}
  a{color:#5bf0b5}`

/** Rendered by the gateway, so that it works without the client and without scripts. */
export function messagePage(language: Language, { title, text, button, back }: Message): string {
  const form = button ? `<form method="post"><button>${button}</button></form>` : ''
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<title>${title} · ${NETWORK_NAME}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="dark">
<link rel="icon" href="/icon.svg" type="image/svg+xml"><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${text}</p>${form}
<p><a href="/">${back}</a></p></main></body></html>`
}
