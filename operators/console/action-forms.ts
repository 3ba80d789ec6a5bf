import { Argument } from 'commander'
import { REASON_CHARACTERS } from '#db/members/kyc'
import type { ActCommand } from '#operators/ops/command'
import type { Read } from './content-forms.ts'
import { html, type Value } from './html.ts'
import type { ActionName } from './roles.ts'

const READY_REASONS: Partial<Record<ActionName, string[]>> = {
  'kyc accept': ['name and picture match the account'],
  'kyc reject': [
    'The picture is blurred: please take it again in good light.',
    'A part of the document is cut off: please show all four corners.',
    'The document has expired: please send a valid one.',
    'The name on the document differs from the one on the account.',
    'This is not a passport, identity card or driving licence.',
  ],
}

/** The arguments of a command: `<member> <TESP|USDT> [note] [several...]`. */
export const argumentsOf = ({ takes }: Pick<ActCommand, 'takes'>): Argument[] =>
  takes ? takes.split(' ').map((each) => new Argument(each)) : []

/** Options of a command that take a text: `[--min <version>]`. */
export const optionsOf = ({ options = [] }: Pick<ActCommand, 'options'>): string[] =>
  options.flatMap((option) => /--(\w+) </.exec(option)?.[1] ?? [])

const label = (name: string) => {
  const words = name.replace(/[|@].*/, '').replaceAll('-', ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

function input(name: string, field: string, value: string, isNeeded = false, isGiven = false) {
  const required = isNeeded && html` required`
  const choices = name.includes('|') && !name.includes('@') ? name.split('|') : []
  if (choices.length > 0 && !isGiven) {
    return html`<label><span>${choices.length > 2 ? 'Which' : 'Token'}</span><select name="${field}"${required}>${choices.map(
      (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
    )}</select></label>`
  }
  if (name === 'json' || name === 'text') {
    const title = name === 'json' ? 'JSON' : 'Text'
    return html`<label><span>${title}</span><textarea name="${field}"${required}>${value}</textarea></label>`
  }
  const decimal = name === 'amount' && html` inputmode="text" placeholder="-12.5"`
  return html`<label><span>${label(name)}</span><input name="${field}" value="${value}" autocomplete="off"${decimal}${isGiven && html` readonly`}${required}></label>`
}

/** Fields that a link gave cannot be changed. */
export function commandFields(command: ActCommand, read: Read, given: ReadonlySet<string>): Value {
  const ofArguments = argumentsOf(command).map((argument, at) => {
    const field = `arg${at}`
    return input(argument.name(), field, read(field), argument.required, given.has(field))
  })
  const ofOptions = optionsOf(command).map((option) => {
    const field = `option-${option}`
    return input(option, field, read(field))
  })
  return [...ofArguments, ...ofOptions]
}

export function reasonField(
  name: ActionName,
  { usualReason }: ActCommand,
  value: string,
  fill: (reason: string) => string,
): Value {
  const ready = READY_REASONS[name] ?? []
  return html`<label><span>Reason</span><textarea name="reason" maxlength="${REASON_CHARACTERS}" required>${value || usualReason}</textarea>
<span class="hint">It is kept for good: no names and no addresses.</span></label>
${
  ready.length > 0 &&
  html`<fieldset><legend class="hint">Ready reasons</legend><ul class="ready">${ready.map(
    (reason) => html`<li><a href="${fill(reason)}">${reason}</a></li>`,
  )}</ul></fieldset>`
}`
}
