import {
  type Answers,
  type BodyOf,
  type ErrorAnswer,
  IDEMPOTENCY_HEADER,
  type ParamsOf,
  type QueryOf,
  type RouteName,
} from '#contract/routes'
import { SECOND_MS } from '#rules/constants'

/** Real time after which a request counts as lost. */
export const REQUEST_TIMEOUT_MS = 15_000
/** Status of an answer that says: nothing has changed. */
export const NOT_MODIFIED = 304

/** The server said no: `message` is `409: {"message":…}` (Specification §7), `answer` its JSON. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    text: string,
    readonly answer?: ErrorAnswer,
    /** Real time after which asking again makes sense, where the server said so. */
    readonly retryAfterMs?: number,
  ) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
  }
}

type Needs<Key extends string, Value> = [Value] extends [never] | [undefined]
  ? { [K in Key]?: undefined }
  : { [K in Key]: Value }

export type CallOptions<R extends RouteName> = Needs<'body', BodyOf<R>> &
  Needs<'params', [ParamsOf<R>] extends [never] ? never : Record<ParamsOf<R>, string>> & {
    query?: QueryOf<R>
    idempotencyKey?: string
    /** Tag of the state that is known; where it still stands the call fails with `NOT_MODIFIED`. */
    ifNoneMatch?: string
    /** Real time after which this one counts as lost. */
    timeoutMs?: number
  }

type Args<R extends RouteName> =
  Partial<CallOptions<R>> extends CallOptions<R>
    ? [options?: CallOptions<R>]
    : [options: CallOptions<R>]

type AnyOptions = {
  body?: unknown
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  idempotencyKey?: string
  ifNoneMatch?: string
  timeoutMs?: number
}

function addressOf(path: string, { params = {}, query = {} }: AnyOptions): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** `Retry-After` in ms: seconds or a date; undefined where it is absent or something else. */
function retryAfterMs(value: string | null | undefined): number | undefined {
  if (!value) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** What is read of an answer that is not OK; an upload has no `Headers`. */
type Refusal = Pick<Response, 'status' | 'statusText'> & { headers?: Pick<Headers, 'get'> }

/** The refusal in an answer that is not OK. */
export function errorOf(response: Refusal, text: string): ApiError {
  let answer: ErrorAnswer | undefined
  try {
    const parsed: unknown = JSON.parse(text)
    if (parsed && typeof parsed === 'object' && 'message' in parsed) answer = parsed as ErrorAnswer
  } catch {
    // A proxy answers in HTML; the text alone is kept.
  }
  const waitMs = retryAfterMs(response.headers?.get('Retry-After'))
  return new ApiError(response.status, text || response.statusText, answer, waitMs)
}

let unauthorized = () => {}

/** Sets what happens where a call other than these two says that nobody is signed in. */
export function onUnauthorized(listener: () => void): void {
  unauthorized = listener
}
const ASKS_WHO: RouteName[] = ['GET /api/user', 'POST /api/login']

/** Like `call`, with the headers beside the answer. */
export async function callWithHeaders<R extends RouteName>(
  route: R,
  ...[options]: Args<R>
): Promise<{ answer: Answers[R]; headers: Headers }> {
  const given: AnyOptions = options ?? {}
  const [method = 'GET', path = ''] = route.split(' ')
  const isForm = given.body instanceof FormData
  const response = await fetch(addressOf(path, given), {
    method,
    credentials: 'include',
    headers: {
      Accept: 'application/json',
      ...(given.body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      ...(given.idempotencyKey && { [IDEMPOTENCY_HEADER]: given.idempotencyKey }),
      ...(given.ifNoneMatch && { 'If-None-Match': given.ifNoneMatch }),
    },
    body: isForm ? (given.body as FormData) : JSON.stringify(given.body),
    signal: AbortSignal.timeout(given.timeoutMs ?? REQUEST_TIMEOUT_MS),
  })
  const text = await response.text()
  if (response.status === 401 && !ASKS_WHO.includes(route)) unauthorized()
  if (!response.ok) throw errorOf(response, text)
  try {
    return { answer: JSON.parse(text) as Answers[R], headers: response.headers }
  } catch {
    // A captive portal answers 200 with a page of its own: nothing came from our server.
    throw new TypeError('The answer is not JSON')
  }
}

/**
 * Calls a route of the contract and resolves to its answer.
 * @throws {ApiError} the server refused
 * @throws {TypeError | DOMException} no answer came: unreachable, cut off or timed out
 */
export async function call<R extends RouteName>(route: R, ...args: Args<R>): Promise<Answers[R]> {
  return (await callWithHeaders(route, ...args)).answer
}

/** What whoever stands between says when our answer is not to be had: 503 our own server, too. */
const NO_ANSWER_OF_OURS = [502, 503, 504]

/** Whether nobody knows if the request worked: no answer came, or one in the place of the answer. */
export function mayHaveWorked(error: unknown): boolean {
  return !(error instanceof ApiError) || NO_ANSWER_OF_OURS.includes(error.status)
}

/** Whether the server no longer knows who is asking. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** What the server said, written for members; the fallback where it said nothing of that kind. */
export function messageOf(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.answer?.message) || fallback
}
