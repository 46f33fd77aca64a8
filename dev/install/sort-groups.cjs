/** Runs the groups of group-suites.mjs in the order of their names. By default, jest orders them by the sizes of their files. */
module.exports = class SortGroups {
  sort(tests) {
    return tests.toSorted((one, other) => one.path.localeCompare(other.path));
  }

  /** Jest calls this method after the tests, so the method must exist. It has nothing to do. */
  cacheResults() {}
};
