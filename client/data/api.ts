import { currentLanguage, errorText } from '#client/language/language.ts'
import { IDEMPOTENCY_HEADER } from '#contract/headers'
import type { Answers, BodyOf, ErrorAnswer, ParamsOf, QueryOf, RouteName } from '#contract/routes'
import { retryAfterMs } from '#rules/retry-after'

/** Real ms after which a request counts as lost. */
export const REQUEST_TIMEOUT_MS = 15_000
export const NOT_MODIFIED = 304

/** The server rejected a call: `message` is `409: {"message":…}` (Specification §7), `answer` its JSON. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    text: string,
    readonly answer?: ErrorAnswer,
    /** Undefined without `Retry-After`. */
    readonly retryAfterMs?: number,
  ) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
  }
}

type Needs<Key extends string, Value> = [Value] extends [never] | [undefined]
  ? { [K in Key]?: undefined }
  : { [K in Key]: Value }

type CommonOptions = {
  idempotencyKey?: string
  /** ETag of the cached answer; if it is still current the call fails with `NOT_MODIFIED`. */
  ifNoneMatch?: string
  timeoutMs?: number
  /** Ends this call, which then has no other limit. */
  signal?: AbortSignal | undefined
}

type CallOptions<R extends RouteName> = CommonOptions &
  Needs<'body', BodyOf<R>> &
  Needs<'params', [ParamsOf<R>] extends [never] ? never : Record<ParamsOf<R>, string>> & {
    query?: QueryOf<R>
  }

type Args<R extends RouteName> =
  Partial<CallOptions<R>> extends CallOptions<R>
    ? [options?: CallOptions<R>]
    : [options: CallOptions<R>]

type AnyCallOptions = CommonOptions & {
  body?: unknown
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
}

function urlOf(path: string, { params = {}, query = {} }: AnyCallOptions): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** Uploads have no `Headers`. */
type Rejection = Pick<Response, 'status' | 'statusText'> & { headers?: Pick<Headers, 'get'> }

export function errorOf(response: Rejection, text: string): ApiError {
  let answer: ErrorAnswer | undefined
  try {
    const parsed: unknown = JSON.parse(text)
    if (parsed && typeof parsed === 'object' && 'message' in parsed) answer = parsed as ErrorAnswer
  } catch {
    // Proxies answer in HTML, which only `text` keeps.
  }
  const waitMs = retryAfterMs(response.headers?.get('Retry-After'), Date.now())
  return new ApiError(response.status, text || response.statusText, answer, waitMs)
}

/** For these routes 401 is a regular answer. */
const SIGN_IN_ROUTES: RouteName[] = ['GET /api/user', 'POST /api/login']

let unauthorizedListener: (() => void) | undefined

export function onUnauthorized(listener: () => void): () => void {
  unauthorizedListener = listener
  return () => {
    unauthorizedListener = undefined
  }
}

export async function callWithHeaders<R extends RouteName>(
  route: R,
  ...[options]: Args<R>
): Promise<{ answer: Answers[R]; headers: Headers }> {
  const given: AnyCallOptions = options ?? {}
  const [method = 'GET', path = ''] = route.split(' ')
  const isForm = given.body instanceof FormData
  const response = await fetch(urlOf(path, given), {
    method,
    credentials: 'include',
    headers: {
      Accept: 'application/json',
      // Mails that the request causes are in the language on the screen.
      'Accept-Language': currentLanguage(),
      ...(given.body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      ...(given.idempotencyKey && { [IDEMPOTENCY_HEADER]: given.idempotencyKey }),
      ...(given.ifNoneMatch && { 'If-None-Match': given.ifNoneMatch }),
    },
    body: isForm ? (given.body as FormData) : JSON.stringify(given.body),
    signal: given.signal ?? AbortSignal.timeout(given.timeoutMs ?? REQUEST_TIMEOUT_MS),
  })
  const text = await response.text()
  if (response.status === 401 && !SIGN_IN_ROUTES.includes(route)) unauthorizedListener?.()
  if (!response.ok) throw errorOf(response, text)
  const isCsv = response.headers.get('Content-Type')?.startsWith('text/csv')
  if (isCsv) return { answer: text as Answers[R], headers: response.headers }
  try {
    return { answer: JSON.parse(text) as Answers[R], headers: response.headers }
  } catch {
    // A captive portal answers 200 with its own page.
    throw new TypeError('The answer is not JSON')
  }
}

/**
 * @throws {ApiError} the server rejected the call
 * @throws {TypeError | DOMException} no answer arrived: unreachable, cut off or timed out
 */
export async function call<R extends RouteName>(route: R, ...args: Args<R>): Promise<Answers[R]> {
  return (await callWithHeaders(route, ...args)).answer
}

/** Answers without a result: of a proxy, of the server with 408 (request too slow) or 503, of a CDN from 520 on. */
const isUnavailable = (status: number) => [408, 502, 503, 504].includes(status) || status >= 520

/** Whether the outcome of a failed request is unknown: no answer arrived, or only a proxy's. */
export function mayHaveWorked(error: unknown): boolean {
  return !(error instanceof ApiError) || isUnavailable(error.status)
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

export const answerOf = (error: unknown) => (error instanceof ApiError ? error.answer : undefined)

export function messageOf(error: unknown, fallback: string): string {
  const answer = answerOf(error)
  return answer?.message ? errorText(answer) : fallback
}
