# Nine tables of R's package mlbench, on which nothing of this project was chosen:
#
#   mkdir -p F/more
#   Rscript scripts/benchmark/unseen/tables.R F/more
#   CLOISTER_DATA=F go run ./scripts/benchmark -out F
#
# It writes each as CSV, with the schema that lies here beside it. Bounds are from the documentation
# of the package and from what is generally known of these tables, which many have measured.

library(mlbench)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
folder <- commandArgs(TRUE)[1]
for (schema in list.files(here, "[.]schema[.]json$", full.names = TRUE)) {
  name <- sub(".schema.json", "", basename(schema), fixed = TRUE)
  data(list = name)
  write.csv(get(name), file.path(folder, paste0(name, ".csv")),
            row.names = FALSE, na = "", quote = FALSE)
  stopifnot(file.copy(schema, folder, overwrite = TRUE))
}
