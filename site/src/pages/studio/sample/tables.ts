// How the made-up tables are made. The page fetches it later than what it says of them.

import { loans } from "./loans.ts";
import { type SampleName } from "./samples.ts";
import { species } from "./species.ts";
import { stays } from "./stays.ts";
import type { Table } from "./table.ts";
import { wages } from "./wages.ts";

export { csvOf, reasonsOf, schemaOf, seeds } from "./table.ts";

export const tables: Readonly<Record<SampleName, Table>> = { stays, loans, species, wages };
