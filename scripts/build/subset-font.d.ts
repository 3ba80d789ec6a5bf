declare module 'subset-font' {
  /** The font with the glyphs of `text`, in these ranges of its variable axes. */
  const subsetFont: (
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2'
      variationAxes: Record<string, { min: number; max: number }>
    },
  ) => Promise<Buffer>
  export = subsetFont
}
