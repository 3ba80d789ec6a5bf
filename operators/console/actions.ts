import { createHmac, randomBytes } from 'node:crypto'
import type Router from '@koa/router'
import type Koa from 'koa'
import { isEqual } from '#gateway/auth/session-cookie'
import type { ActCommand, OpsCall } from '#operators/ops/command'
import { OPS } from '#operators/ops/program'
import { runOps } from '#operators/ops/run'
import { MINUTE_MS } from '#rules/constants'
import { RuleError, STATUS } from '#rules/rule-error'
import { argumentsOf, commandFields, optionsOf, reasonField } from './action-forms.ts'
import { ACTION_FORMS } from './content-forms.ts'
import { html, type Value } from './html.ts'
import {
  backPath,
  type ConsoleServices,
  cookieName,
  field,
  fieldsOf,
  logRefusal,
  operatorOf,
  query,
  show,
} from './http.ts'
import { layout, notice } from './layout.ts'
import { refuseRole } from './pages.ts'
import { actionPath } from './parts.ts'
import { type ActionName, isAction, mayAct, mayActOn, titleOf } from './roles.ts'

/** An action has three steps, as on a terminal: a form, the question of the command, the command of `npm run ops`. */

/** The key of a form names the question that was asked, and the log takes a key once. */
type Sent = { args: string[]; options: Record<string, string>; reason: string }

/** MACs under the secret of the sign-in's cookie: only a form of this sign-in has them. */
function macsOf(secret: string, nonce: string, name: string, { args, options, reason }: Sent) {
  const mac = (...parts: unknown[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')
  const form = mac(nonce, name, args, Object.entries(options), reason)
  return { form, question: (text: string) => mac(form, text) }
}

const newNonce = () => randomBytes(16).toString('base64url')

function sentBy(command: ActCommand, read: (name: string) => string): Sent {
  const args = argumentsOf(command).flatMap(({ variadic, required }, at) => {
    const value = read(`arg${at}`)
    if (variadic) return value.split(/[\s,]+/).filter(Boolean)
    return value === '' && !required ? [] : [value]
  })
  const options = optionsOf(command).flatMap((name) => {
    const value = read(`option-${name}`)
    return value ? [[name, value] as const] : []
  })
  return { args, options: Object.fromEntries(options), reason: read('reason') }
}

function pagesOf(ctx: Koa.Context, name: ActionName) {
  const command: ActCommand = OPS[name]
  const own = ACTION_FORMS[name]
  const isForm = ctx.method === 'POST'
  const read = (key: string) => (isForm ? field(ctx, key) : query(ctx, key))
  const back = backPath(read('back'))
  const answer = (content: Value, status = 200) =>
    show(ctx, layout({ title: titleOf(name), content, ...ctx.state.frame, path: back }), status)

  /** Names the fields of the arguments that a link gave: they stay as they are. */
  const given = new Set(read('given').split(' ').filter(Boolean))

  const form = (message?: string, status = 200) => {
    const fill = (reason: string) => {
      const args = Object.fromEntries([...given].map((key) => [key, read(key)]))
      const query = new URLSearchParams({ ...args, given: read('given'), back, reason })
      return `${actionPath(name)}?${query}`
    }
    answer(
      html`${notice(message)}<p>${command.does}</p>
<form method="post" action="${actionPath(name)}" class="panel">
<input type="hidden" name="back" value="${back}"><input type="hidden" name="given" value="${read('given')}">
${own ? own.fields(read) : commandFields(command, read, given)}
${reasonField(name, command, read('reason'), fill)}
<div class="row"><button>Continue</button><a class="button" href="${back}">Cancel</a></div>
</form>`,
      status,
    )
  }

  const ask = (sent: Sent, question: string, key: string, message?: string) => {
    // The fields as they were sent: they are confirmed, and fill the form again if the action is refused.
    const typed = Object.entries({ ...fieldsOf(ctx), key })
    answer(html`${notice(message)}<p class="notice ask">${question}</p>
${own?.preview(sent.args)}
<dl><div><dt>Reason</dt><dd>${sent.reason}</dd></div></dl>
<form method="post" action="${actionPath(name)}">
${typed.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="row"><button>Yes, do it</button><a class="button" href="${back}">Cancel</a></div>
</form>`)
  }

  const done = (says: string) =>
    answer(html`${notice(says, 'done')}<p><a class="button" href="${back}">Back</a></p>`)

  const sent = () => ({ ...sentBy(command, read), ...(own && { args: own.args(read) }) })
  return { command, read, sent, form, ask, done }
}

export function actionRoutes(router: Router, services: ConsoleServices): void {
  const { db, origin } = services
  // Links of invitations lead to where this console is open.
  const config = { ...services.config, consoleOrigin: origin }
  /** What the forms of the last minute did: a browser shows the answer to the second of two clicks. */
  const answers = new Map<string, Promise<string>>()

  async function allowed(ctx: Koa.Context): Promise<ActionName> {
    const name = `${ctx.params.group} ${ctx.params.verb}`
    if (!isAction(name)) return ctx.throw(404)
    if (mayAct(operatorOf(ctx).role, name)) return name
    return refuseRole(services, ctx, { action: name })
  }

  router.get('/actions/:group/:verb', async (ctx: Koa.Context) => {
    pagesOf(ctx, await allowed(ctx)).form()
  })

  router.post('/actions/:group/:verb', async (ctx: Koa.Context) => {
    const name = await allowed(ctx)
    const pages = pagesOf(ctx, name)
    const secret = ctx.cookies.get(cookieName(origin)) ?? ''
    const operator = operatorOf(ctx)
    let sent: Sent
    try {
      sent = pages.sent()
    } catch (error) {
      if (error instanceof RuleError) return pages.form(error.message, STATUS[error.code])
      throw error
    }
    if (!mayActOn(operator.role, sent.args[0])) {
      await logRefusal(services, ctx, `the role ${operator.role} may not`, { action: name })
      return pages.form('Only an owner may end the sign-ins of all members', 403)
    }
    const [nonce = '', form = '', answered = ''] = pages.read('key').split('.')
    const macs = macsOf(secret, nonce, name, sent)
    if (nonce && !isEqual(form, macs.form)) {
      await logRefusal(services, ctx, 'a forged form', { action: name })
      ctx.throw(403)
    }
    const first = answers.get(nonce)
    const done = first && (await first.catch(() => undefined))
    if (done) return pages.done(done)
    let asked: string | undefined
    const { args, options, reason } = sent
    const call: OpsCall = { db, config, args, options: { ...options, reason } }
    const run = async () => {
      let says = ''
      await runOps(name, pages.command, call, {
        operator: () => operator.name,
        print: (text) => {
          says = text
        },
        confirm: async (question) => {
          if (nonce && isEqual(answered, macs.question(question))) return true
          asked = question
          return false
        },
        form: { operatorId: operator.id, formKey: nonce || newNonce() },
      })
      return says
    }
    try {
      const answer = run()
      if (nonce) {
        answers.set(nonce, answer)
        setTimeout(() => answers.delete(nonce), MINUTE_MS).unref()
      }
      pages.done(await answer)
    } catch (error) {
      if (!(error instanceof RuleError) || error.code === 'already_posted') throw error
      if (asked === undefined) return pages.form(error.message, STATUS[error.code])
      const next = newNonce()
      const fresh = macsOf(secret, next, name, sent)
      const key = [next, fresh.form, fresh.question(asked)].join('.')
      const changed = nonce ? 'This has changed meanwhile: please read it again.' : undefined
      pages.ask(sent, asked, key, changed)
    }
  })
}
