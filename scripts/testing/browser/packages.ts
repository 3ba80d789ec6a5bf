const packages = 'node_modules/@testing-library'

/**
 * Packages that keep state of a page in their modules: listeners on the window, its body, the language.
 * They are evaluated again for each file of the client, unlike React, Radix and other packages.
 */
export const PACKAGES_OF_A_PAGE = [
  /\/@testing-library\//,
  /\/@tanstack\//,
  /\/(react-)?i18next\//,
  /\/jotai(-tanstack-query)?\//,
  /\/socket\.io-client\//,
  /\/wouter\//,
]

/** The CommonJS builds of these packages would be loaded by Node, which evaluates them only once. */
export const testingLibraryModules = (root: string) =>
  ['react', 'dom'].map((name) => ({
    find: `@testing-library/${name}`,
    replacement: `${root}/${packages}/${name}/dist/@testing-library/${name}.esm.js`,
  }))
