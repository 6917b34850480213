// Coefficients in the units of the file, as lines for people.

/** How a value is worked out of the coefficients, by what the schema does to the length of rows. */
export function equation(value, norm) {
  if (norm === "scale")
    return [
      `${value} = constant + sum of coefficient times value + intercept,`,
      "each value within its bounds:",
    ];
  const length =
    norm === "unit"
      ? "the norm of the record's features"
      : "the larger of 1 and the norm of the record's features";
  return [
    `${value} = (constant + sum of coefficient times value) / N + intercept,`,
    `where N is ${length}, scaled as the schema says:`,
  ];
}

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
