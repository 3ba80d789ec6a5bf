import type { LucideIcon } from 'lucide-react'
import Bird from 'lucide-react/icons/bird'
import CirclePlay from 'lucide-react/icons/circle-play'
import Globe from 'lucide-react/icons/globe'
import Send from 'lucide-react/icons/send'
import type { TaskDefinition } from '#rules/money/tasks'

type Platform = TaskDefinition['platform']

const icons: Record<Platform, LucideIcon> = {
  twitter: Bird,
  telegram: Send,
  youtube: CirclePlay,
  website: Globe,
}

/** Decorative: the name of the platform is next to it. */
export function PlatformIcon({ platform }: { platform: Platform }) {
  const Icon = icons[platform]
  return (
    <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-control border border-sky-line bg-sky-soft text-sky">
      <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
    </span>
  )
}
