"""Statistics of agreement and of rates: pure functions, one definition for people and judges alike.

Results are `estimate.Estimate`: a value or `None` with a reason, denominator, interval. Categories
are always passed in, in their declared order. A *table* is the q x q counts of two raters; *counts*
are the unit-by-category counts of any number of raters.

- `estimate`: `Estimate`, `Interval`
- `consensus`: `consensus(values, overlap)`, `consensus_of_units(counts, overlap)`, `Consensus`
- `tables`: `read_labels(units, raters, values, categories) -> Labels`, `unit_by_category(labels)`,
  `unit_by_rater(labels)`, `rater_tables(labels)`, `table_of(first, second, categories)`,
  `counts_of_table(table)`
- `coefficients` (from counts): `percent_agreement`, `fleiss_kappa`, `gwet_ac1`, `brennan_prediger`,
  `krippendorff_alpha(counts, categories, level)`
- `kappa` (from a table): `exact_agreement`, `expected_agreement`, `cohen_kappa`,
  `weighted_kappa(table, categories, weights)`, `standard_errors`; from labels: `pairwise_kappa(labels)`
- `two_raters` (from a table): `scott_pi`, `specific_agreement(table, categories, category)`, `pabak`,
  `prevalence_index`, `bias_index`; all of them by name: `two_rater_statistics(table, categories)`
- `mcnemar`: `mcnemar(b, c)`; `jaccard`: `mean_jaccard(pairs_of_sets)`
- `intervals`: `wilson_interval(successes, trials)`, `wilson_rate(successes, trials)`,
  `cluster_robust_mean(values, clusters)`, `cluster_robust_rate(numerators, denominators, clusters)`
- `resampling`: `clustered_rates({name: per item}, {name: per item}, clusters, seed=...)` ->
  `.rate(name)`, `.difference(name, minus)`, `.cluster_robust(name)`,
  `.cluster_robust_difference(name, minus)`
- `resampled_agreement`: `paired_agreement(first, second, pairs, categories, seed=...)`,
  `resampled_statistics(counts, categories, names, seed=...)`
- `rogan_gladen`: `rogan_gladen(Judged(...))`
- `judge_error` (0, 1, nan): `judge_error(verdicts, truths, weights) -> JudgeError`
- `prediction_powered`: `prediction_powered_mean(predictions, truths, clusters, weights, bounds=...)
  -> PredictionPowered`, `prediction_powered_difference(first, second)`
- `corrected_rate`: `corrected_rate(verdicts, truths, clusters, weights) -> CorrectedRate`,
  `corrected_mean(values, truths, clusters, weights, bounds=...) -> CorrectedMean`, `is_sufficient(...)`
- `label_numbers` (from a `PredictionPowered`): `further_labels(found, width)`,
  `labels_for_allowance(found, share)`
- `alternative_annotator`: `alternative_annotator_test(judge, {person: answers}, epsilon=...)`,
  `alternative_annotator_tests(..., epsilons=[...])`
"""
