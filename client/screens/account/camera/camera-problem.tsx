import { CameraOff } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import type { CameraProblem } from './use-camera.ts'

const TEXTS: Record<CameraProblem, { title: string; text: string }> = {
  refused: {
    title: 'The camera is blocked',
    text: 'Allow the camera for this site in the settings of your browser, then try again.',
  },
  missing: {
    title: 'No camera found',
    text: 'Connect a camera and try again, or choose a picture from your device.',
  },
  busy: {
    title: 'The camera could not be started',
    text: 'Another app may be using it. Close that app, then try again.',
  },
}

/** Why there is no live picture, and what to do. */
export function CameraProblemNote({
  problem,
  onRetry,
}: {
  problem: CameraProblem
  onRetry: () => void
}) {
  const { title, text } = TEXTS[problem]
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-4 text-center text-sm">
      <CameraOff aria-hidden="true" className="size-8 text-muted" strokeWidth={1.5} />
      <p className="font-medium">{title}</p>
      <p className="text-muted">{text}</p>
      <Button variant="secondary" className="mt-1" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
