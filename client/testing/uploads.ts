import { vi } from 'vitest'

/** An `XMLHttpRequest` whose progress and answer the test controls. */
export class FakeUpload {
  static all: FakeUpload[] = []
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  onload?: () => void
  onerror?: () => void
  ontimeout?: () => void
  status = 0
  statusText = ''
  responseText = ''
  timeout = 0
  withCredentials = false
  route = ''
  form: FormData | undefined

  open(method: string, path: string) {
    this.route = `${method} ${path}`
    FakeUpload.all.push(this)
  }

  setRequestHeader() {}

  getResponseHeader() {
    return null
  }

  send(form: FormData) {
    this.form = form
  }

  progress(loaded: number, total: number) {
    this.upload.onprogress?.({ loaded, total })
  }

  answer(status: number, body: unknown) {
    this.status = status
    this.responseText = typeof body === 'string' ? body : JSON.stringify(body)
    this.onload?.()
  }
}

/** Replaces `XMLHttpRequest`; the returned function gets the newest upload. */
export function serveUploads(): () => FakeUpload {
  FakeUpload.all = []
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  return () => {
    const newest = FakeUpload.all.at(-1)
    if (!newest) throw new Error('Nothing was uploaded')
    return newest
  }
}
