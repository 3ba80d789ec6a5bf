import type { RequestFacts } from './mail-text.ts'

/** Device, network and time of a request, indented; `network` is the word for it. */
export const factLines = ({ device, network, now }: RequestFacts, networkWord: string): string =>
  `    ${device}
    ${networkWord} ${network}
    ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`
