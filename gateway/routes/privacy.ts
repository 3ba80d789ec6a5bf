import { deleteMember } from '#db/members/deletion'
import { exportMember } from '#db/members/export'
import { memberById } from '#db/members/members'
import { readFromReplica } from '#db/postgres/connection/replica'
import { inTransaction } from '#db/postgres/statements/transaction'
import { signOut } from '#gateway/auth/auth-session'
import { forgetDevice } from '#gateway/auth/device-cookie'
import { confirmPassword } from '#gateway/auth/passwords'
import { stream } from '#gateway/http/downloads'
import { BadInput } from '#gateway/http/errors'
import { assertConnected, routesOf, signedIn } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { API_TEXTS } from '#rules/api-texts'
import { dayText } from '#rules/duration-text'
import { normalizeUsername } from '#rules/members/usernames-and-emails'

/** `tesp-network-mai-2026-11-21.json`: only letters and digits that every file system accepts. */
function fileName(username: string, at: Date): string {
  const plain = username.normalize('NFKD').replace(/\p{M}/gu, '')
  const safe = plain.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '')
  return `tesp-network-${safe || 'member'}-${dayText(at)}.json`
}

export const privacyRoutes = routesOf('account', {
  'POST /api/user/export': {
    summary: 'Downloads everything that is stored about the member.',
    errors: ['wrong_password', 'too_many_requests'],
    handle: signedIn(async ({ services, ctx, memberId, signIn, body }) => {
      const { config, limits, exportSemaphore, log } = services
      await confirmPassword(services, ctx, memberId, body.password)
      await limits.use('export-member', String(memberId))
      const { pieces, username, exportedAt } = await exportSemaphore.run(() => {
        assertConnected(ctx)
        return readFromReplica(services, (reader) => exportMember(reader, config.dataKey, signIn))
      })
      log.info({ ip: clientIp(ctx), memberId }, 'data exported')
      return stream(ctx, fileName(username, exportedAt), pieces)
    }),
  },
  'POST /api/user/delete': {
    summary: 'Deletes the account.',
    errors: ['session_quarantined', 'wrong_password', 'too_many_requests'],
    handle: signedIn(async ({ services, ctx, memberId, signIn, body }) => {
      const { db, config, changes, memberMutex, devices, log } = services
      const username = (await memberById(db, memberId))?.username
      if (normalizeUsername(body.confirmation) !== username) {
        const message = API_TEXTS.confirmationWrong
        throw new BadInput(message, { confirmation: message })
      }
      await confirmPassword(services, ctx, memberId, body.password)
      const referrerId = await memberMutex.run(memberId, () =>
        inTransaction(db, (tx) => deleteMember(tx, config.dataKey, signIn)),
      )
      log.info({ ip: clientIp(ctx), memberId }, 'account deleted')
      await changes.publish({ kind: 'signed-out', reason: 'account-deleted', memberId })
      await devices
        .forget(memberId)
        .catch((err) =>
          log.warn({ err, memberId }, 'sign-ins not removed; they expire by themselves'),
        )
      if (referrerId !== null) await changes.publishMembers([referrerId], ['team'])
      signOut(ctx)
      forgetDevice(services, ctx, memberId)
      return { success: true, message: 'Your account has been deleted' }
    }),
  },
})
