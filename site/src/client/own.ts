/**
 * What a table has under a name that a file gives, if anything: names such as
 * "constructor" and "__proto__" are in every table.
 */
export const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
