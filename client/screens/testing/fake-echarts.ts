/** The part of an ECharts option that tests look at. */
export type DrawnOption = {
  series: { type: string; radius?: string[]; data: { name: string }[] }[]
}

/** The options that charts were drawn with, oldest first. */
export const drawnOptions: DrawnOption[] = []

/** Draws nothing, because happy-dom has no canvas, and records its option. */
function FakeChart({ option }: { option: DrawnOption }) {
  drawnOptions.push(option)
  return null
}

/** The module `echarts-for-react/esm/core`, for the factory of `vi.mock`. */
export const echartsForReact = { default: FakeChart }
