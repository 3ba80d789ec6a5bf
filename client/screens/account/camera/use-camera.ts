import { useEffect, useState } from 'react'

export type CameraProblem = 'refused' | 'missing' | 'busy'
export type Camera =
  | { state: 'starting' }
  | { state: 'live'; stream: MediaStream }
  | { state: CameraProblem }

/** Side of the sensor that is asked for, pixels; the avatar is far smaller. */
const SIDE = 720

const PROBLEMS: Record<string, CameraProblem> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
}

function problemOf(error: unknown): CameraProblem {
  return PROBLEMS[(error as DOMException).name] ?? 'busy'
}

const stop = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

/** Whether a page may ask for a camera: only secure origins may, and some browsers never do. */
export const canAskForCamera = (): boolean => Boolean(navigator.mediaDevices?.getUserMedia)

/**
 * The stream of the camera while `on`. Its tracks stop when `on` ends or the component unmounts,
 * even if the stream arrives later, so that the light of the camera goes out.
 */
export function useCamera(on: boolean): { camera: Camera; retry: () => void } {
  const [camera, setCamera] = useState<Camera>({ state: 'starting' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the camera again
  useEffect(() => {
    if (!on) return
    let closed = false
    let opened: MediaStream | undefined
    setCamera({ state: 'starting' })
    const open = async () => {
      try {
        const stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'user', width: { ideal: SIDE }, height: { ideal: SIDE } },
        })
        if (closed) return stop(stream)
        opened = stream
        // An unplugged camera ends its track.
        stream.getVideoTracks()[0]?.addEventListener('ended', () => setCamera({ state: 'busy' }))
        setCamera({ state: 'live', stream })
      } catch (error) {
        if (!closed) setCamera({ state: problemOf(error) })
      }
    }
    void open()
    return () => {
      closed = true
      if (opened) stop(opened)
    }
  }, [on, attempt])
  return { camera, retry: () => setAttempt((count) => count + 1) }
}
