declare module 'subset-font' {
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
