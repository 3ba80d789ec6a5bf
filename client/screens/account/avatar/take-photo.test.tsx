import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { show } from '#client/testing/render.tsx'
import { TakePhotoButton } from './avatar-dialog.tsx'

type OpenCamera = () => Promise<MediaStream>

/** Gives the browser a camera; returns the spy that counts its openings. */
function computer(getUserMedia: OpenCamera) {
  const asked = vi.fn(getUserMedia)
  const value = { getUserMedia: asked }
  Object.defineProperty(navigator, 'mediaDevices', { value, configurable: true })
  return asked
}

/** A stream with one track, which happy-dom lacks. */
function newStream(): MediaStream {
  const track = {
    readyState: 'live',
    stop() {
      track.readyState = 'ended'
    },
    addEventListener() {},
  }
  const tracks = () => [track] as unknown as MediaStreamTrack[]
  const stream = document.createElement('canvas').captureStream()
  return Object.assign(stream, { getTracks: tracks, getVideoTracks: tracks })
}
const live = (stream: MediaStream) =>
  stream.getTracks().some(({ readyState }) => readyState === 'live')
const failure = (name: string) => async () => {
  throw new DOMException('', name)
}

async function openDialog() {
  const onPhoto = vi.fn<(photo: File) => void>()
  show(<TakePhotoButton disabled={false} onPhoto={onPhoto} />)
  const user = userEvent.setup({ delay: null })
  await user.click(screen.getByRole('button', { name: 'Take Photo' }))
  await screen.findByRole('dialog', { name: 'Take Photo' })
  return { user, onPhoto }
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const picture = () => screen.findByLabelText('Live picture of the camera')

async function capture({ user }: Awaited<ReturnType<typeof openDialog>>) {
  fireEvent.loadedData(await picture())
  await waitFor(() => expect(isDisabled(button('Capture'))).toBe(false))
  await user.click(button('Capture'))
  await screen.findByAltText('Your new profile')
}

function encodesFrames() {
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['x'], { type: 'image/jpeg' })),
  )
}

afterEach(() => {
  Reflect.deleteProperty(navigator, 'mediaDevices')
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('Take Photo on a computer', () => {
  it('Capture is disabled until the camera shows a picture', async () => {
    computer(async () => newStream())
    await openDialog()
    await picture()
    expect(isDisabled(button('Capture'))).toBe(true)
    fireEvent.loadedData(await picture())
    await waitFor(() => expect(isDisabled(button('Capture'))).toBe(false))
  })

  it('a photo can be retaken and is handed over by Use Photo', async () => {
    encodesFrames()
    const streams: MediaStream[] = []
    computer(async () => {
      const stream = newStream()
      streams.push(stream)
      return stream
    })
    const opened = await openDialog()
    await capture(opened)
    await waitFor(() => expect(streams.map(live)).toEqual([false]))
    await opened.user.click(button('Retake'))
    await picture()
    expect(streams.map(live)).toEqual([false, true])
    await capture(opened)
    await opened.user.click(button('Use Photo'))
    expect(opened.onPhoto).toHaveBeenCalledOnce()
    expect(opened.onPhoto.mock.calls[0]?.[0]).toMatchObject({
      name: 'photo.jpg',
      type: 'image/jpeg',
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(streams.map(live)).toEqual([false, false]))
  })

  it('the camera stops when the dialog closes', async () => {
    const stream = newStream()
    computer(async () => stream)
    const { user } = await openDialog()
    await picture()
    expect(live(stream)).toBe(true)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(live(stream)).toBe(false))
  })

  it('a camera that starts after the dialog was closed is stopped', async () => {
    let resolve = (_: MediaStream) => {}
    computer(() => new Promise((done) => (resolve = done)))
    const { user } = await openDialog()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const stream = newStream()
    await act(async () => resolve(stream))
    expect(live(stream)).toBe(false)
  })

  it.each([
    ['NotAllowedError', 'The camera is blocked'],
    ['NotFoundError', 'No camera found'],
    ['NotReadableError', 'The camera could not be started'],
  ])('%s shows "%s", and Try Again opens the camera again', async (name, title) => {
    const asked = computer(failure(name))
    const { user } = await openDialog()
    expect(await screen.findByText(title)).toBeTruthy()
    expect(isDisabled(button('Capture'))).toBe(true)
    asked.mockImplementation(async () => newStream())
    await user.click(button('Try Again'))
    await picture()
  })
})

describe('Take Photo without a camera dialog', () => {
  const input = () => screen.getByLabelText<HTMLInputElement>('Take Photo')

  it('a phone opens its camera app', () => {
    const asked = computer(async () => newStream())
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: coarse)' }))
    show(<TakePhotoButton disabled={false} onPhoto={vi.fn()} />)
    expect(input().getAttribute('capture')).toBe('user')
    expect(asked).not.toHaveBeenCalled()
  })

  it('a browser that offers no camera to the page opens its file dialog', () => {
    show(<TakePhotoButton disabled={false} onPhoto={vi.fn()} />)
    expect(input().type).toBe('file')
  })
})
