import type {
  CallOptions,
  Client,
  Expectation,
  ExpectationRequest,
} from "../../../../client/types.ts";
import { schemaForFit } from "../../../../client/usual.ts";

/** What is expected at each ε, of a fit whose rows are made as they are for it. */
export async function expected(
  worker: Client,
  request: ExpectationRequest,
  options: CallOptions,
): Promise<Expectation> {
  const schemas = request.epsilons.map((epsilon) =>
    schemaForFit(request.schema, { ...request, epsilon }),
  );
  const norms = new Set(schemas.map(({ rows }) => rows.norm));
  const answers: Expectation[] = [];
  for (const norm of norms) {
    const schema = schemas.find(({ rows }) => rows.norm === norm)!;
    const epsilons = request.epsilons.filter((_, i) => schemas[i]!.rows.norm === norm);
    answers.push(await worker.expectation({ ...request, schema, epsilons }, options));
  }
  const next = [...norms].map(() => 0);
  return {
    ...answers[0]!,
    private: schemas.map(({ rows }) => {
      const at = [...norms].indexOf(rows.norm);
      return answers[at]!.private[next[at]!++] ?? null;
    }),
  };
}
