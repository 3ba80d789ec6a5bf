import { failedBySubject, failedMails, retryMails, waitingMails } from '#operators/actions/outbox'
import { limitOf, wholeNumber } from '#operators/ops/arguments'
import type { ActCommand, ListCommand } from '#operators/ops/command'
import { queueMails } from '#operators/ops/redis'
import { RuleError } from '#rules/rule-error'

const SHOWN_MAILS = 50
const ALL = '@all'

export const mailWaiting: ListCommand = {
  takes: '[--limit <n>]',
  does: 'mails that are still tried, with their last error',
  list: (call) => waitingMails(call.db, limitOf(call, SHOWN_MAILS)),
}

export const mailFailed: ListCommand = {
  takes: '[--limit <n>]',
  does: 'mails that were given up, with their last error',
  list: (call) => failedMails(call.db, limitOf(call, SHOWN_MAILS)),
}

function chosenMails(args: string[]): number[] | 'all' {
  if (args.length === 1 && args[0] === ALL) return 'all'
  if (args.length === 0) throw new RuleError('bad_input', `The mails are missing: ids, or ${ALL}`)
  return args.map((arg) => wholeNumber(arg, 'A mail'))
}

export const mailRetry: ActCommand = {
  takes: `<id …|${ALL}>`,
  does: 'tries failed mails again; codes in mails older than 10 minutes do not work any more',
  act: async (call) => {
    const chosen = chosenMails(call.args)
    const subjects = await failedBySubject(call.db, chosen)
    if (subjects.length === 0) throw new RuleError('not_found', 'There is no such failed mail')
    const list = subjects.map(({ subject, mails }) => `\n  ${mails} × ${subject}`)
    return {
      asks: `Send again:${list.join('')}\n?`,
      run: async (tx) => {
        const mails = await retryMails(tx, chosen)
        return {
          says: `${mails.length} mails are tried again`,
          details: { mails },
          after: () => queueMails(call, mails),
        }
      },
    }
  },
}
