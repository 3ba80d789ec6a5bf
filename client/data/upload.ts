import type { Answers, RouteName } from '#contract/routes'
import { errorOf } from './api.ts'

/** Real time after which an upload counts as lost: 5 MB over a slow mobile network fit into it. */
export const UPLOAD_TIMEOUT_MS = 300_000

/** What an upload was answered, as `fetch` would tell it. */
function answerOf(request: XMLHttpRequest) {
  const { status, statusText } = request
  return { status, statusText, headers: { get: (name: string) => request.getResponseHeader(name) } }
}

/**
 * Like `call`, for a form with a file: `fetch` cannot tell how much of it has left.
 * @param onProgress takes fractions of what was sent, 0…1
 * @throws {ApiError} the server refused
 * @throws {TypeError} no answer came: unreachable, cut off or timed out
 */
export function upload<R extends RouteName>(
  route: R,
  form: FormData,
  onProgress: (fraction: number) => void,
): Promise<Answers[R]> {
  const [method = 'POST', path = ''] = route.split(' ')
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const lost = () => reject(new TypeError('No answer came'))
    request.open(method, path)
    request.withCredentials = true
    request.timeout = UPLOAD_TIMEOUT_MS
    request.setRequestHeader('Accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total)
    }
    request.onerror = lost
    request.onabort = lost
    request.ontimeout = lost
    request.onload = () => {
      const { status, responseText } = request
      if (status < 200 || status > 299) return reject(errorOf(answerOf(request), responseText))
      try {
        resolve(JSON.parse(responseText) as Answers[R])
      } catch {
        // A captive portal answers 200 with a page of its own: nothing came from our server.
        lost()
      }
    }
    request.send(form)
  })
}
