import type Router from '@koa/router'
import type Koa from 'koa'
import { renderSVG } from 'uqr'
import { authenticatorUri, base32 } from '#db/members/one-time-code'
import { inTransaction } from '#db/postgres/statements/transaction'
import { hashPassword } from '#gateway/auth/passwords'
import { notFound } from '#operators/actions/action-log'
import {
  acceptInvitation,
  invitedBy,
  type StoredOperator,
  secretOf,
  useCode,
} from '#operators/actions/operators'
import { NETWORK_NAME, PASSWORD_MAX } from '#rules/constants'
import { Html, html } from './html.ts'
import { type ConsoleServices, field, goTo, show, typed } from './http.ts'
import { layout, notice } from './layout.ts'
import { signIn } from './sign-in.ts'

const OPERATOR_PASSWORD_MIN = 12

const invitationPage = ({ name, role }: StoredOperator, secret: Buffer, message?: string) => {
  const uri = authenticatorUri(`${NETWORK_NAME} console`, name, secret)
  const key = base32(secret).replace(/(.{4})(?=.)/g, '$1 ')
  return layout({
    title: `Welcome, ${name}`,
    content: html`${notice(message)}
<p>You are invited as <b>${role}</b>. Scan the code with an authenticator app and choose a password: every
sign-in needs both. This link works once.</p>
<div class="qr" role="img" aria-label="QR code for an authenticator app">${new Html(renderSVG(uri, { ecc: 'M', border: 2 }))}</div>
<p>Or type this key into the app: <code>${key}</code></p>
<form method="post" class="panel">
<input type="hidden" name="username" value="${name}" autocomplete="username">
<label><span>Password</span><input name="password" type="password" autocomplete="new-password"
 minlength="${OPERATOR_PASSWORD_MIN}" maxlength="${PASSWORD_MAX}" aria-describedby="rule" required>
<span class="hint" id="rule">${OPERATOR_PASSWORD_MIN} characters or more</span></label>
<label><span>Code of the app</span><input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
<button>Set up and sign in</button>
</form>`,
  })
}

export function invitationRoutes(router: Router, services: ConsoleServices): void {
  const { db, config } = services

  async function invited(ctx: Koa.Context): Promise<StoredOperator> {
    const operator = await invitedBy(db, String(ctx.params.token))
    if (!operator) throw notFound('invitation: the link was used, or it has expired')
    return operator
  }

  router.get('/invitation/:token', async (ctx: Koa.Context) => {
    const operator = await invited(ctx)
    show(ctx, invitationPage(operator, secretOf(config.dataKey, operator)))
  })
  router.post('/invitation/:token', async (ctx: Koa.Context) => {
    const operator = await invited(ctx)
    const refuse = (message: string) =>
      show(ctx, invitationPage(operator, secretOf(config.dataKey, operator), message), 400)
    const password = typed(ctx, 'password') ?? ''
    if (password.length < OPERATOR_PASSWORD_MIN) {
      return refuse(`The password must have at least ${OPERATOR_PASSWORD_MIN} characters`)
    }
    if (password.length > PASSWORD_MAX) {
      return refuse(`The password may have at most ${PASSWORD_MAX} characters`)
    }
    if (!(await useCode(db, config.dataKey, operator, field(ctx, 'code'), Date.now()))) {
      return refuse('The code is not right. Take the one that the app shows now.')
    }
    const passwordHash = await hashPassword(password, config)
    const token = String(ctx.params.token)
    const isFree = await inTransaction(db, (tx) => acceptInvitation(tx, token, passwordHash))
    if (!isFree) throw notFound('invitation')
    const accepted = { ...operator, password: passwordHash }
    const isIn = await signIn(services, ctx, accepted, 'console invitation accepted')
    goTo(ctx, isIn ? '/' : '/sign-in')
  })
}
