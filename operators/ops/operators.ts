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
import { acting, argument, type OpsCall, type OpsCommand } from './command.ts'

export const invitationLink = (origin: string, token: string) => `${origin}/invitation/${token}`

function invited({ config }: OpsCall, name: string, token: string): string {
  const { consoleOrigin, consolePort } = config
  const link = invitationLink(consoleOrigin ?? `http://127.0.0.1:${consolePort}`, token)
  return `${name} chooses a password by this link, once, within ${INVITATION_HOURS} hours:\n${link}`
}

const nameAndRole = ({ args: [name = '', role] }: OpsCall) => ({ name, role: roleOf(role) })

export const operatorCommands = {
  'operators list': {
    does: 'who may sign in to the console (npm run console), and in which role',
    list: ({ db }) => listOperators(db),
  },
  'operators invite': acting({
    takes: '<name> <reader|support|reviewer|owner>',
    does: 'prints a link, once, by which the operator chooses a password and an authenticator app',
    of: nameAndRole,
    asks: ({ name, role }) => `Let ${name} sign in to the console as ${role}?`,
    run: async (tx, { name, role }, call) => {
      const token = await inviteOperator(tx, call.config.dataKey, { name, role })
      return { says: invited(call, name, token), details: { name, role } }
    },
  }),
  'operators reset': acting({
    takes: '<name>',
    does: 'for a lost password or app: ends the sign-ins and prints a new link',
    of: argument,
    asks: (name) => `End the sign-ins of ${name}, and invite ${name} again?`,
    run: async (tx, name, call) => {
      const token = await resetOperator(tx, call.config.dataKey, name)
      return { says: invited(call, name, token), details: { name } }
    },
  }),
  'operators role': acting({
    takes: '<name> <reader|support|reviewer|owner>',
    does: 'gives an operator another role, from the next request on',
    of: nameAndRole,
    asks: ({ name, role }) => `Make ${name} ${role}?`,
    run: async (tx, { name, role }) => {
      await setRole(tx, name, role)
      return { says: `${name} is ${role}`, details: { name, role } }
    },
  }),
  'operators sign-out': acting({
    takes: '<name>',
    does: 'ends the sign-ins of an operator at once',
    usualReason: 'sign-ins ended',
    of: async (call) => {
      const name = argument(call)
      const operator = await call.db('operators').where({ name }).first('id', 'name')
      if (!operator) throw notFound('operator')
      return operator
    },
    asks: ({ name }) => `End the sign-ins of ${name}?`,
    run: async (tx, { id, name }) => {
      const signIns = await endSignIns(tx, id)
      return { says: `${signIns} sign-ins of ${name} have ended`, details: { name, signIns } }
    },
  }),
  'operators remove': acting({
    takes: '<name>',
    does: 'ends the sign-ins of an operator, who may not sign in any more',
    of: argument,
    asks: (name) => `Remove the operator ${name}?`,
    run: async (tx, name) => {
      await removeOperator(tx, name)
      return { says: `${name} may not sign in any more`, details: { name } }
    },
  }),
} satisfies Record<string, OpsCommand>
