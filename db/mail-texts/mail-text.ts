import type { Language } from '#rules/members/languages'
import { escapeHtml, htmlFragment } from './mail-html.ts'

/** Subject and both parts of a mail: plain text that says everything, and the same as HTML. */
export type MailText = { subject: string; text: string; html: string }

/** A piece of both parts of a mail; a string is a paragraph whose lines are broken for the plain part. */
export type MailBlock =
  | string
  | { code: string }
  /** Lines of a notice; they may hold what a request sent. */
  | { facts: string[] }
  | { quote: string }
  /** The plain part has the address alone; `quiet` is a link of the last lines instead of a button. */
  | { link: string; label: string; quiet?: true }

/** What a notice about a request names: where it came from, and when. */
export type RequestFacts = {
  /** In plain words, such as `Firefox on Windows`. */
  device: string
  network: string
  /** Real time, ms. */
  now: number
  origin: string | undefined
}

/** Device, network and time of a request; `networkWord` is the word for it. */
export const requestLines = (
  { device, network, now }: RequestFacts,
  networkWord: string,
): MailBlock => ({
  facts: [
    device,
    `${networkWord} ${network}`,
    `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ],
})

const indented = (lines: string[]) => lines.map((line) => `    ${line}`).join('\n')

function plain(block: MailBlock): string {
  if (typeof block === 'string') return block
  if ('code' in block) return indented([block.code])
  if ('quote' in block) return indented([block.quote])
  if ('link' in block) return indented([block.link])
  return indented(block.facts)
}

function html(block: MailBlock): string {
  if (typeof block === 'string') return htmlFragment('paragraph', { text: escapeHtml(block) })
  if ('code' in block) return htmlFragment('code', { code: escapeHtml(block.code) })
  if ('quote' in block) return htmlFragment('panel', { lines: escapeHtml(block.quote) })
  if ('facts' in block) {
    return htmlFragment('panel', { lines: block.facts.map(escapeHtml).join('<br>') })
  }
  const link = { link: escapeHtml(block.link), label: escapeHtml(block.label) }
  return htmlFragment(block.quiet ? 'quietLink' : 'button', link)
}

/** What a list of mails shows besides the subject: the code, if there is one, and the first words. */
function preview(blocks: MailBlock[]): string {
  const codes = blocks.flatMap((block) =>
    typeof block === 'object' && 'code' in block ? [`${block.code} · `] : [],
  )
  const words = blocks.find((block) => typeof block === 'string') ?? ''
  return `${codes.join('')}${words}`
}

/** Both parts of a mail from its blocks. */
export function mailText(language: Language, subject: string, blocks: MailBlock[]): MailText {
  return {
    subject,
    text: blocks.map(plain).join('\n\n'),
    html: htmlFragment('page', {
      language,
      subject: escapeHtml(subject),
      preview: escapeHtml(preview(blocks)),
      blocks: blocks.map(html).join(''),
    }),
  }
}
