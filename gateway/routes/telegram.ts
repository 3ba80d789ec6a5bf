import { lockSignedIn } from '#db/members/execute-once'
import {
  linkedAccount,
  type Membership,
  type MembershipNeeded,
  newLinkCode,
  readTelegram,
  unlinkTelegram,
} from '#db/members/telegram'
import { inTransaction } from '#db/postgres/statements/transaction'
import { command, limitCommands, routesOf, signedIn } from '#gateway/http/route'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import { isChatMember } from '#runtime/telegram-bot'

const notSetUp = () => new RuleError('telegram_unavailable', 'Telegram is not set up here')

/** No transaction and no lock is held while Telegram is asked. */
export async function membershipOf(
  { config, db, limits, log }: Pick<Services, 'config' | 'db' | 'limits' | 'log'>,
  { memberId, chat, pressedAt }: MembershipNeeded,
): Promise<Membership> {
  await limits.use('telegram-member', String(memberId))
  if (!config.telegramBotToken) throw notSetUp()
  const account = await linkedAccount(db, config.dataKey, memberId)
  if (!account) throw new RuleError('telegram_not_linked', 'Link your Telegram account first')
  const isMember = await isChatMember(config, chat, account.id).catch((err) => {
    log.warn({ err, chat }, 'membership not checked; the claim was refused and nothing changed')
    throw new RuleError(
      'telegram_unavailable',
      'Telegram could not be asked. Nothing was changed; try again later',
    )
  })
  if (isMember) return { accountHash: account.hash, pressedAt }
  throw new RuleError(
    'telegram_not_member',
    'Telegram does not list you as a member. Join with the linked account, then claim again',
  )
}

export const telegramRoutes = routesOf('tasks', {
  'GET /api/telegram': {
    summary: 'Reads the Telegram account of the member, and the bot that links one.',
    handle: signedIn(({ services: { db, config }, memberId }) =>
      readTelegram(db, config.dataKey, memberId, config.telegramBotName),
    ),
  },
  'POST /api/telegram/link': {
    summary: 'Creates a link to the bot that links a Telegram account once, within 15 minutes.',
    errors: ['telegram_unavailable', 'too_many_requests'],
    // Not a `command()`, which would store the code with its answer.
    handle: signedIn(async ({ services, memberId, signIn }) => {
      const { telegramBotName, dataKey } = services.config
      const countSuccess = await limitCommands(services, signIn)
      if (!telegramBotName) throw notSetUp()
      const code = await services.memberMutex.run(memberId, () =>
        inTransaction(services.db, async (tx) => {
          await lockSignedIn(tx, signIn)
          return newLinkCode(tx, dataKey, memberId)
        }),
      )
      countSuccess()
      return { url: `https://t.me/${telegramBotName}?start=${code}` }
    }),
  },
  'POST /api/telegram/unlink': {
    summary: 'Deletes the Telegram account of the member; without one nothing changes.',
    idempotent: true,
    handle: command([], async ({ services, tx, memberId }) => {
      const { telegramBotName, dataKey } = services.config
      await unlinkTelegram(tx, memberId)
      return readTelegram(tx, dataKey, memberId, telegramBotName)
    }),
  },
})
