import { dispose, getInstanceByDom, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import EChartsReactCore from 'echarts-for-react/esm/core'
import { LONGEST_ANIMATION_MS, prefersReducedMotion } from './theme.ts'

use([SVGRenderer])

/** A picture to screen readers, named by its summary; a table beside it has the figures. */
export function Chart({ label, option }: { label: string; option: object }) {
  const animations = {
    animation: !prefersReducedMotion(),
    animationDuration: LONGEST_ANIMATION_MS,
    animationDurationUpdate: LONGEST_ANIMATION_MS,
  }
  return (
    <div role="img" aria-label={label} className="h-full">
      <EChartsReactCore
        echarts={{ init, dispose, getInstanceByDom }}
        style={{ height: '100%', width: '100%' }}
        opts={{ renderer: 'svg' }}
        // Series are found again by their `id`; without this, one that has gone would stay.
        replaceMerge="series"
        option={{ ...animations, ...option }}
      />
    </div>
  )
}
