import { notFound } from '#operators/actions/action-log'
import { endSignIns, listOperators } from '#operators/actions/operator-sign-ins'
import {
  INVITATION_HOURS,
  inviteOperator,
  removeOperator,
  resetOperator,
  roleOf,
  setRole,
} from '#operators/actions/operators'
import type { Config } from '#runtime/config/config'
import { argument, type OpsCommand } from './command.ts'

export const invitationLink = (origin: string, token: string) => `${origin}/invitation/${token}`

function invited({ consoleOrigin, consolePort }: Config, name: string, token: string): string {
  const link = invitationLink(consoleOrigin ?? `http://127.0.0.1:${consolePort}`, token)
  return `${name} chooses a password by this link, once, within ${INVITATION_HOURS} hours:\n${link}`
}

export const operatorCommands = {
  'operators list': {
    does: 'who may sign in to the console (npm run console), and in which role',
    list: ({ db }) => listOperators(db),
  },
  'operators invite': {
    takes: '<name> <reader|support|reviewer|owner>',
    does: 'prints a link, once, by which the operator chooses a password and an authenticator app',
    act: async ({ config, args: [name = '', typed] }) => {
      const role = roleOf(typed)
      return {
        asks: `Let ${name} sign in to the console as ${role}?`,
        run: async (tx) => {
          const token = await inviteOperator(tx, config.dataKey, { name, role })
          return { says: invited(config, name, token), details: { name, role } }
        },
      }
    },
  },
  'operators reset': {
    takes: '<name>',
    does: 'for a lost password or app: ends the sign-ins and prints a new link',
    act: async ({ config, args: [name = ''] }) => ({
      asks: `End the sign-ins of ${name}, and invite ${name} again?`,
      run: async (tx) => {
        const token = await resetOperator(tx, config.dataKey, name)
        return { says: invited(config, name, token), details: { name } }
      },
    }),
  },
  'operators role': {
    takes: '<name> <reader|support|reviewer|owner>',
    does: 'gives an operator another role, from the next request on',
    act: async ({ args: [name = '', typed] }) => {
      const role = roleOf(typed)
      return {
        asks: `Make ${name} ${role}?`,
        run: async (tx) => {
          await setRole(tx, name, role)
          return { says: `${name} is ${role}`, details: { name, role } }
        },
      }
    },
  },
  'operators sign-out': {
    takes: '<name>',
    does: 'ends the sign-ins of an operator at once',
    usualReason: 'sign-ins ended',
    act: async (call) => {
      const name = argument(call)
      const operator = await call.db('operators').where({ name }).first('id')
      if (!operator) throw notFound('operator')
      return {
        asks: `End the sign-ins of ${name}?`,
        run: async (tx) => {
          const signIns = await endSignIns(tx, operator.id)
          return { says: `${signIns} sign-ins of ${name} have ended`, details: { name, signIns } }
        },
      }
    },
  },
  'operators remove': {
    takes: '<name>',
    does: 'ends the sign-ins of an operator, who may not sign in any more',
    act: async ({ args: [name = ''] }) => ({
      asks: `Remove the operator ${name}?`,
      run: async (tx) => {
        await removeOperator(tx, name)
        return { says: `${name} may not sign in any more`, details: { name } }
      },
    }),
  },
} satisfies Record<string, OpsCommand>
