// Coefficients in the units of the file, as lines for people.

/** Of a vector of a release, or of a derived model, whose coefficients have standard errors. */
export function coefficientLines(vector) {
  const rows = [
    ["(intercept)", vector.intercept, "", vector.intercept_error],
    ["(constant)", vector.original_constant, ""],
    ...vector.original.map(({ feature, category, coefficient, unit, offset, error }) => [
      category !== undefined
        ? `${feature} = ${category}`
        : unit === "missing"
          ? `${feature} is missing`
          : feature,
      coefficient,
      unit.startsWith("log") ? `per log1p(x - ${offset})` : unit === "1" ? "per unit" : "",
      error,
    ]),
  ];
  const width = Math.max(11, ...rows.map(([name]) => name.length));
  const errors = rows.some((row) => row[3] !== undefined);
  const spread = (error) => (error === undefined ? "" : `± ${error.toPrecision(3)}`).padEnd(12);
  return rows.map(([name, coefficient, unit, error]) =>
    `  ${name.padEnd(width)}  ${coefficient.toPrecision(6).padStart(13)}  ${errors ? spread(error) : ""}${unit}`.trimEnd(),
  );
}
