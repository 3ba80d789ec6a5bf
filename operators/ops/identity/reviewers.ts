import { randomBytes } from 'node:crypto'
import { authenticatorUri, SECRET_BYTES } from '#db/members/second-factor/one-time-code'
import { hashPassword } from '#gateway/auth/passwords/passwords'
import { addReviewer, listReviewers, removeReviewer } from '#operators/actions/reviewers/reviewers'
import { needed } from '#operators/ops/arguments'
import type { ActCommand, ListCommand } from '#operators/ops/command'
import { NETWORK_NAME } from '#rules/constants'

const PASSWORD_BYTES = 18

export const reviewersList: ListCommand = {
  does: 'who may sign in to the page of identity documents (npm run review)',
  list: ({ db }) => listReviewers(db),
}

export const reviewersAdd: ActCommand = {
  takes: '<name>',
  does: 'prints a password and a secret for an authenticator app, once',
  act: async ({ config, args: [given] }) => {
    const name = needed(given, 'The name')
    const password = randomBytes(PASSWORD_BYTES).toString('base64url')
    const secret = randomBytes(SECRET_BYTES)
    const passwordHash = await hashPassword(password, config)
    return {
      asks: `Let ${name} read and decide about identity documents?`,
      run: async (tx) => {
        await addReviewer(tx, config.dataKey, { name, passwordHash, secret })
        const says = [
          `${name} may sign in. Give them these; they are not shown again.`,
          `password       ${password}`,
          `authenticator  ${authenticatorUri(`${NETWORK_NAME} review`, name, secret)}`,
        ].join('\n')
        return { says, details: { name } }
      },
    }
  },
}

export const reviewersRemove: ActCommand = {
  takes: '<name>',
  does: 'ends the sign-ins of a reviewer at once',
  act: async ({ args: [given] }) => {
    const name = needed(given, 'The name')
    return {
      asks: `Remove the reviewer ${name}?`,
      run: async (tx) => {
        await removeReviewer(tx, name)
        return { says: `${name} may not sign in any more`, details: { name } }
      },
    }
  },
}
