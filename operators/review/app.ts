import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import { documentRoutes } from './documents/routes.ts'
import { readiness } from './readiness.ts'
import { errorPages } from './request.ts'
import { onlyFrom } from './security.ts'
import type { ReviewServices } from './services.ts'
import { signedInOnly, signInRoutes } from './sign-in/routes.ts'

/** The pages on which reviewers read and decide about identity documents. */
export function reviewApp(services: ReviewServices): Koa {
  const app = new Koa()
  // `errorPages` answers the errors of handlers; what is left is a browser that disconnected.
  app.on('error', (error) => services.log.debug({ err: error }, 'page of a reviewer not sent'))
  app.use(errorPages(services))
  app.use(readiness(services))
  app.use(onlyFrom(services.origin))
  app.use(bodyParser({ enableTypes: ['form'], formLimit: '16kb' }) as unknown as Koa.Middleware)
  app.use(signInRoutes(services))
  app.use(signedInOnly(services))
  app.use(documentRoutes(services))
  return app
}
