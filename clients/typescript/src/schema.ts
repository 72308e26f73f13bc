// Generated from openapi.json by "npm run openapi". Do not edit.

export interface paths {
    "/api/v1/autoscientist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the trainings of the team
         * @description Newest first.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["autoscientistList"];
        put?: never;
        /**
         * Train a model on a dataset
         * @description Trains, compares with the base model on rows that were held out, and tries again with other hyperparameters, until target_win_rate is reached or max_iterations are done. What is left out is resolved, and answered. Only rows that are added cost credits. With an idempotency_key, a repetition answers the training as long as it is active.
         *
         *     **Data:** Trains a model on a copy of the rows; the dataset stays as it is. Rows that are added form a dataset of their own, which is listed.
         *
         *     **Credits:** The training costs no credits. Rows that `augmentation_domain_rows` and `augmentation_general_rows` add cost 10 credits per 100, reserved at the start.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["autoscientistCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/comparisons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comparisons of the team
         * @description Newest first, without what they have measured.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["autoscientistComparisonsList"];
        put?: never;
        /**
         * Train the originals and the adaptation of a dataset, and compare the models
         * @description Trains the same base model on the original rows and on the adapted rows, with the same hyperparameters, seed and number of optimizer steps, and compares base, original-trained and adapted-trained model in pairs on the same held-out prompts. With an idempotency_key, a repetition answers the comparison as long as it is active.
         *
         *     **Data:** Trains models on copies of the rows; the dataset stays as it is.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["autoscientistComparisonsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/comparisons/{comparison_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a comparison: win rates, losses, and answers side by side
         * @description Grows while the comparison runs. Of one that failed it shows what was done.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["autoscientistComparisonsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/comparisons/{comparison_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a comparison
         * @description Ends it at once, and keeps what is done; one that has ended is answered as it is.
         *
         *     **Data:** Ends the comparison; what is done is kept and shown.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["autoscientistComparisonsCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that can be trained
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["autoscientistModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/recommend-hyperparams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recommend a model and hyperparameters for a dataset
         * @description Launches nothing. Without a model, that which a training of the dataset would take by its own columns; a training whose column_mapping names a reasoning_trace may take another.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["autoscientistRecommendHyperparams"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/{experiment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a training
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["autoscientistGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/{experiment_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a training
         * @description Ends it at once; one that has ended is answered as it is. Between the two stages of an alignment it is refused for a moment; while its rows are being added, the plan limits cancellations in an hour.
         *
         *     **Data:** Ends the training. A training that was cancelled has no model and no files to download; what was measured stays in its metrics.
         *
         *     **Credits:** Rows that were added are charged; the other reserved credits are released.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["autoscientistCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/{experiment_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the best model of a training
         * @description Redirects to a .tar.gz, for fifteen minutes: the adapter or checkpoint, the tokenizer, the report of the training and the licence of the base model.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["autoscientistDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/{experiment_id}/download-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link to the best model of a training
         * @description The file that `/download` redirects to, as a link that needs no key: for web pages, which cannot follow that redirect.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["autoscientistDownloadLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/{experiment_id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metrics of a training
         * @description By iteration: loss curves and learning rate, the win rate with its interval, hyperparameters and why they were changed, and answers of base and trained model side by side. An iteration that is running shows its curves so far.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["autoscientistMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/{experiment_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the best model of a training to an external platform
         * @description Publishes the adapter or checkpoint and the tokenizer with a model card, in the background: look at the publication until it has ended. The team needs a connection to the platform, which an operator stores; without one, and for Kaggle, the answer is 501. A repository is made if there is none, and is private unless `private` is false. The same content published twice makes no second commit.
         *
         *     **Data:** Copies the model to the platform. The training and its model stay as they are.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["autoscientistPublish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/autoscientist/{experiment_id}/publish/{publish_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a publication of a model
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["autoscientistPublicationsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a chat with a model, as in OpenAI’s API
         * @description An answer of `POST /api/v1/responses` in the words of chat completions, or with `stream` its chunks as server-sent events, which `data: [DONE]` ends. What fails before the first chunk has an error status, unless a keep-alive was sent, after 15 seconds without output; what fails afterwards is a last chunk with `error`. Stored answers, tool servers and dataset search are those of `POST /api/v1/responses`.
         *
         *     **Data:** Stores nothing.
         *
         *     **Credits:** Charges the tokens that the model reads and writes, at the price of the model, also of an answer that fails. A request that ends with an error status is charged if the model had begun to answer, or had to be given up (a timeout, or a caller who leaves); otherwise it is free.
         *
         *     Needs a key with the scope `responses`.
         */
        post: operations["chatCompletionsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/answers/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the cost of an answer
         * @description The tokens and credits of one response, stored or not. Available when the answer has ended, for 30 days; a failed one is billed for the tokens that the model used.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["creditsAnswer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the movements of credits
         * @description Newest first. Entries are added and never changed.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["creditsLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage and cost by day
         * @description Answers by day and model, and the credits that runs were billed by day. Days are those of UTC.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["creditsUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the datasets of the team
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsList"];
        put?: never;
        /**
         * Ingest a dataset
         * @description Without a url: answers where to PUT the file; complete the upload afterwards. With a url: imports it.
         *
         *     **Data:** Creates a dataset. A file upload waits for its file; an import starts reading at once.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/combine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge datasets into a new one
         * @description Takes the rows of every dataset once, in order, as its download shows them. Of up to 200 MB the answer is the merged dataset; more, or what takes longer than 20 seconds, goes on as a job.
         *
         *     **Data:** Creates a dataset with copies of the rows; the sources stay as they are.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsCombineCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/combine/jobs/{combine_job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a merge
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsCombineJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/combine/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether datasets can be merged
         * @description Changes nothing. Problems are in `issues`: an `error` stands against the merge, a `warning` does not.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        post: operations["datasetsCombineValidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/invent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a dataset from scratch
         * @description Rows are written, judged, and taken while there are fewer than `rows` of them: those that score below 6 of 10 and those that nearly repeat another are left out. For each row at most three are written, and thirty more; what the dataset then holds is what is charged. Without `domains` and `subdomains` they are inferred from `dataset_prompt` (`domain_not_inferred`: it fits none, or its model cannot be reached, as the message says). The rows are those of downloads: `enhanced_prompt` and `enhanced_completion`.
         *
         *     **Data:** Creates a dataset. With `estimate: true` nothing is created.
         *
         *     **Credits:** 10 credits per 100 rows, rows in other languages included, reserved at the start; rows that are missing at the end are released. An estimate is free.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsInventCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/invent/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the domains that datasets can be invented of
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsInventDomains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/upload/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a dataset of an uploaded file
         * @description **Data:** Creates a dataset of the uploaded file and starts reading it.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsUploadsComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/upload/complete-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make one dataset of the uploaded files of a batch
         * @description Files that are not named stay out. `preprocessing_failed` says that they do not have the same columns: the dataset has failed, and its error_data says which columns differ.
         *
         *     **Data:** Joins the rows of the uploaded files and starts reading them.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsUploadsCompleteBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/upload/initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a URL to upload a file to
         * @description **Data:** Reserves an object key; no dataset is created until the upload is completed.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsUploadsInitiate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/upload/initiate-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get URLs to upload the files of one dataset to
         * @description A batch has either documents or tables. Its files become one dataset, one file’s rows after another’s, in the order in which complete-batch names them. The URLs work for an hour, each for a file of the size that was announced.
         *
         *     **Data:** Creates a dataset that waits for its files.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsUploadsInitiateBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dataset
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsGet"];
        put?: never;
        post?: never;
        /**
         * Delete a dataset
         * @description Refused while a run or training is active on it. Its files, and models trained on it, are removed within a day.
         *
         *     **Data:** Deletes the dataset at once. Its files, and models trained on it, are erased within a day. This cannot be undone.
         *
         *     **Credits:** Costs no credits. Credits that were charged are not refunded.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        delete: operations["datasetsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/adapt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adapt a dataset, or price the adaptation
         * @description Rewrites rows in which something is visibly wrong, by the smallest edit that mends it, and evaluates the result. Returns at once: poll the status of the dataset until `succeeded` or `failed`. The report says what became of each row.
         *
         *     **Data:** Improves existing rows in new columns and never changes their source columns. `language_expansion` adds rows; `deduplication` and `lint` drop rows. With `estimate: true` nothing changes.
         *
         *     **Credits:** 1 credit per 100 output rows, 10 when images are mapped; a part of a hundred counts as a hundred. Credits are reserved at the start; at the end delivered rows are charged and the rest is released. An estimate is free.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsAdapt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/appends/{append_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an append: whether its rows are there
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsAppendsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/augment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a dataset with rows of the curated pool added
         * @description The new dataset has the rows of this one, rows of the pool on its topics (`domain_rows`) and on others (`general_rows`), and rows that a model writes in its style (`similar_rows`); this one stays as it is. No row is added whose question the dataset has already, exactly or nearly; rows that are not added are not charged. Without counts, an estimate is that of the recommended rows, and a run is refused with what they are and cost.
         *
         *     **Data:** Creates a dataset; the source stays as it is. With `estimate: true` nothing is created.
         *
         *     **Credits:** 1 credit per 100 added rows, reserved at the start; rows that are not added are released at the end. An estimate is free.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsAugment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the active run of a dataset
         * @description Returns at once. The workers get a few seconds to store what they have finished; then the dataset is `failed` with `run_cancelled`: poll its status. A run that makes rows first delivers those that are done. A repeated request changes nothing. Without an active run the answer is a 409. A training is cancelled by its own route.
         *
         *     **Data:** Ends the run. Rows that are finished can be downloaded, and rows of earlier runs stay.
         *
         *     **Credits:** Finished rows are charged; the other reserved credits are released.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/custom-evals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom evaluations of a dataset
         * @description The newest forty, newest first.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsCustomEvalsList"];
        put?: never;
        /**
         * Score an adapted dataset by a rubric of your own
         * @description A judge scores the sample of the dataset’s evaluation, before and after, by `judge_prompt`: instructions for integers from 0 to 10 that say what earns them. Costs no credits.
         *
         *     **Data:** Scores a sample of the rows; changes no rows.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsCustomEvalsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/custom-evals/{custom_eval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a custom evaluation
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsCustomEvalsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions of a dataset, row by row
         * @description Rows that were changed, added and removed from one version to the other, by the number of the row in the source. Columns are those of downloads. Where only one version was adapted, the other is read as if that run had kept every row: its `enhanced_prompt` and `enhanced_completion` are the texts that it came with, so that a row that the run kept is unchanged. Rows that a version does not deliver, such as duplicates, are removed ones. The first request starts the comparison and answers a 202: ask again after `Retry-After` seconds. A team has one comparison made at a time. The result does not change, and is kept for 30 days.
         *
         *     **Data:** Changes no rows. The first request for two versions compares them.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the processed dataset
         * @description Redirects to the file, for fifteen minutes. It holds the rows of the latest run that succeeded, where none has those that the latest one finished, and before the first run the rows as they were uploaded; `version` names another version, and `run_id` another adaptation. A format that was not asked for before is built first: when that takes longer than 20 seconds the answer is a 503 that says when to come back. After a run, the columns are those of the dataset, with `enhanced_prompt` and `enhanced_completion` and those of the options that the run had.
         *
         *     **Data:** Changes no rows. The first request for a format builds the file.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/download-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link to the processed dataset
         * @description The file that `/download` redirects to, as a link that needs no key: for web pages, which cannot follow that redirect.
         *
         *     **Data:** Changes no rows. The first request for a format builds the file.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsDownloadLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/evaluation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the evaluation of a dataset
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsEvaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/export-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the links of exports to other platforms
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsExportLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/extend-trajectories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a dataset in which every conversation goes on
         * @description The new dataset has the rows of this one with a column `extended_prompt`: what the user says next, which only somebody can answer who remembers the conversation. Rows whose conversation cannot go on are left out.
         *
         *     **Data:** Creates a dataset; the source stays as it is. With `estimate: true` nothing is created.
         *
         *     **Credits:** 1 credit per 100 rows, reserved at the start; rows that are left out are released at the end. An estimate is free.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsExtendTrajectories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/finetune/best-launch-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the launch of the best training job
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsBestLaunchConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/lint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the rows of a dataset
         * @description Changes nothing. Checks the rows as they were read, from `first_row` on, for as long as an answer may take: `next_row` says where to go on. Near-duplicates are found among the rows of one answer.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        post: operations["datasetsLint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/localize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a dataset with rows adapted to countries added
         * @description As `translate`, and each row also takes on what is usual in the country: its currency, dates, units and names.
         *
         *     **Data:** Creates a dataset; the source stays as it is. With `estimate: true` nothing is created.
         *
         *     **Credits:** 1 credit per 100 added rows, reserved at the start; rows that are left out are released at the end. An estimate is free.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsLocalize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/pilots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pilots of a dataset
         * @description The newest forty, newest first.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsPilotsList"];
        put?: never;
        /**
         * Compare adaptations on a sample, or price that
         * @description Adapts the same sample of rows by up to eight arms, and compares their answers blind and in both orders with the originals. The answer is a recommendation with its uncertainty: that no arm is better than doing nothing is one. Returns at once: poll the pilot. `/adapt` with `pilot_id` runs the arm and takes over the rows that are done.
         *
         *     **Data:** Adapts a sample beside the dataset; changes no rows.
         *
         *     **Credits:** 1 credit per 100 rows × arms, 10 when images are mapped; a part of a hundred counts as a hundred, once. At the end delivered rows are charged and the rest is released. An estimate is free.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsPilotsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/pilots/{pilot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pilot: its arms, their comparison and the recommendation
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsPilotsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/pilots/{pilot_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pilot
         * @description Returns at once. The workers get a few seconds to store what they have finished; then the pilot is `failed` with `run_cancelled`, and shows what is done. A repeated request changes nothing.
         *
         *     **Data:** Ends the pilot; what is done is kept and shown.
         *
         *     **Credits:** Finished rows are charged; the other reserved credits are released.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsPilotsCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/pilots/{pilot_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the rows of a pilot: the answers of its arms side by side
         * @description What each arm did with each row, why, and how its answer fares against the original. Grows while the pilot runs.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsPilotsRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a dataset to an external platform
         * @description Publishes the rows as Parquet files with a dataset card, in the background: look at the publication until it has ended. The team needs a connection to the platform, which an operator stores; without one the answer is 501. A repository is made if there is none, and is private unless `private` is false. The same content published twice makes no second commit, or on Kaggle no second version.
         *
         *     **Data:** Copies rows to the platform. The dataset stays as it is.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsPublish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/publish/{publish_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a publication
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsPublicationsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what became of every row of the latest run
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows that are most worth a look
         * @description Rows without a verdict of the version that reads mean: doubtful ones by falling probability of being wrong, and at every third place one that is drawn at random among the others, so that the verdicts tell of the whole dataset. The answer says how many are worth a look, what the verdicts say so far, and the grade that follows from them.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsReviewList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/review/{row}/alike": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the rows with the same defect as a mended one
         * @description After a row was mended: rows that have the label which was exchanged, in which the text occurs that was removed or replaced, or of which the same witness says the same, each with the text that the same edit gives. To accept some, send them to `/verdicts` as `mended`. Rows that somebody has called right or has mended are not among them.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsReviewAlike"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows of a dataset, before and after
         * @description Every row of the source with what a run made of it: outcome, reason, and the text before and after. Filters and a search in the text apply together. An adaptation writes an index of its rows at its end; for other rows the first request builds it: when that takes longer than 20 seconds the answer is a 409 `rows_pending`, and its `Retry-After` says when to come back.
         *
         *     **Data:** Changes no rows. The first request for rows that have no index yet builds it.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsRowsList"];
        put?: never;
        /**
         * Append rows to a dataset
         * @description Takes rows (`rows`), or a file in two steps: `file` answers where to upload it, `s3_key` appends it. The rows have the columns and types of the dataset; one that does not fit is refused with all others, by row and column. An append waits for the run that is active. It makes a new version: what was adapted, evaluated or trained keeps its own. The dataset then waits for an adaptation. With the settings of the last one, and a new idempotency_key, it asks models about the new rows only and charges those; rows in other languages and those of a run with web search are asked about and charged again. Returns at once: poll the append.
         *
         *     **Data:** Adds rows; changes none.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsRowsAppend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/rows/{row}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one row of a dataset, complete
         * @description The row with all of its columns: text before and after, reasoning trace, safety findings, both answers of a preference pair, sources and notes.
         *
         *     **Data:** Changes no rows. The first request for rows that have no index yet builds it.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsRowsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adapt a dataset (use /adapt)
         * @deprecated
         * @description The older form of `/adapt`. Its recipes `preference_pairs` and `prompt_metadata_injection` exist only here.
         *
         *     **Data:** Improves existing rows in new columns and never changes their source columns. `language_expansion` adds rows; `deduplication` and `lint` drop rows. With `estimate: true` nothing changes.
         *
         *     **Credits:** 1 credit per 100 output rows, 10 when images are mapped; a part of a hundred counts as a hundred. Credits are reserved at the start; at the end delivered rows are charged and the rest is released. An estimate is free.
         *
         *     Needs a key with the scope `datasets:write`.
         *
         *     Kept for older clients: use `/api/v1/datasets/{dataset_id}/adapt`.
         */
        post: operations["datasetsRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/start-adaption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the processing of a deferred upload
         * @description **Data:** Starts reading the stored file. Rows appear when `row_count` is set.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsStartAdaption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status and progress of a dataset
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/translate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a dataset with rows in other languages added
         * @description The new dataset has the rows of this one and, for each language, a sample of them translated; this one stays as it is. Rows that cannot be translated, and those that the dataset has already, are left out and not charged.
         *
         *     **Data:** Creates a dataset; the source stays as it is. With `estimate: true` nothing is created.
         *
         *     **Credits:** 1 credit per 100 added rows, reserved at the start; rows that are left out are released at the end. An estimate is free.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsTranslate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/upload/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete the upload of a dataset
         * @description **Data:** Starts reading the uploaded file. Repeating the call changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsUploadsCompleteById"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/verdicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the verdicts of a dataset
         * @description All of them with their texts, by row and reviewer: page through them to export them.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsVerdictsList"];
        put?: never;
        /**
         * Say which rows are right, wrong, or mended
         * @description Up to 1,000 verdicts, each with the `content_hash` of the row as its reviewer saw it. A row that has changed since is in `stale`, and its verdict is not recorded. Each reviewer has one verdict about a row: a later one takes its place, `none` takes it back. A request that is refused records nothing. Rows change only when verdicts are applied.
         *
         *     **Data:** Keeps the verdicts with the dataset until it is deleted; changes no rows.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsVerdictsRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/verdicts/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a version with the mended texts
         * @description The next version has the rows of the one that reads mean, with the texts that reviewers give; with `wrong: "drop"` rows that are wrong and not mended are dropped. Rows of which reviewers say different things, and those that have changed since, stay as they are, and the report says so. Returns at once: poll the status of the dataset. Rows in other languages that were made of a mended or dropped row are left out. The version is listed as made by `review`.
         *
         *     **Data:** Makes a version; earlier ones stay as they are.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["datasetsVerdictsApply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a dataset with their lineage
         * @description The rows of the upload are version 1. Each append and each adaptation makes another, and nothing of a version ever changes. Reads that name none mean the latest adaptation that succeeded, or the rows as they came where none has.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["datasetsVersionsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{dataset_id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a version that an adaptation made
         * @description Refused while its run is active, while an active training reads it, and for the version that reads without a version mean. Versions of an upload or an append stay: others are made of their rows. The list of versions keeps it as `deleted`, and no other version gets its number. Recorded model calls stay, for later runs to reuse: they belong to the dataset, and go with it.
         *
         *     **Data:** Deletes the version at once. Its results, exports, row index and comparisons, and the report of its run, are erased within a day. This cannot be undone.
         *
         *     **Credits:** Costs no credits. Credits that were charged are not refunded.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        delete: operations["datasetsVersionsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the evals of the team
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["evalsList"];
        put?: never;
        /**
         * Create an eval
         * @description Says what rows are and how answers to them are graded. Its runs say which rows, and what answers.
         *
         *     **Data:** Stores the eval.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        post: operations["evalsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evals/{eval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an eval
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["evalsGet"];
        put?: never;
        /**
         * Rename an eval, or change its metadata
         * @description **Data:** Changes the eval.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        post: operations["evalsUpdate"];
        /**
         * Delete an eval with its runs
         * @description **Data:** Deletes the eval, its runs and their output items. This cannot be undone.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        delete: operations["evalsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evals/{eval_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of an eval
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["evalsRunsList"];
        put?: never;
        /**
         * Run an eval
         * @description Has rows answered, or takes answers that there are, and grades them. Each result has a 95 % interval and the rows that decided it; with verdicts of people on the rows of a file also how often each grader is wrong.
         *
         *     **Data:** Stores the rows of the request, the answers and what graders say of them. Files are read, never changed.
         *
         *     **Credits:** Charges the tokens of answers, and of graders that ask a model, at the price of the model.
         *
         *     Needs a key with the scope `responses`.
         */
        post: operations["evalsRunsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evals/{eval_id}/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run of an eval
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["evalsRunsGet"];
        put?: never;
        /**
         * Cancel a run of an eval (use …/cancel)
         * @deprecated
         * @description Its worker ends after the rows that it has begun. A run that has ended is answered as it is.
         *
         *     **Data:** Ends the run; what is graded is kept.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         *
         *     Kept for older clients: use `/api/v1/evals/{eval_id}/runs/{run_id}/cancel`.
         */
        post: operations["evalsRunsCancelAtItself"];
        /**
         * Delete a run of an eval
         * @description **Data:** Deletes the run and its output items. This cannot be undone.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        delete: operations["evalsRunsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evals/{eval_id}/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run of an eval
         * @description Its worker ends after the rows that it has begun. A run that has ended is answered as it is.
         *
         *     **Data:** Ends the run; what is graded is kept.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        post: operations["evalsRunsCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evals/{eval_id}/runs/{run_id}/output_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what each row of a run came to
         * @description Grows while the run goes on. A page ends early where its items would be more than can be read at once.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["evalsRunsOutputItemsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evals/{eval_id}/runs/{run_id}/output_items/{output_item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what one row of a run came to
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["evalsRunsOutputItemsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or follow events
         * @description Every change of state that a caller waits for, in the order of the team: a page of events, or with `Accept: text/event-stream` a stream that goes on. An event is told at least once, with a stable `id`; those of a dataset are numbered by `sequence`. A stream ends after a minute, and after the first events where the service runs without streaming: continue with the `id` of the last event as `Last-Event-ID` (a client of server-sent events does so by itself), and none is missed within 30 days. A key reads the events of what its scopes let it read.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key, of any scope.
         */
        get: operations["eventsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of the team
         * @description All datasets of the team are files, those too that did not come by this API.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["filesList"];
        put?: never;
        /**
         * Upload a file, as in OpenAI’s API
         * @description The body is a form of at most 4 MiB. A larger file is uploaded by a link (`POST /api/v1/datasets`), and is a file with the same id afterwards. The name has an extension of a format of datasets; one without is taken as JSON Lines.
         *
         *     **Data:** Creates a dataset of the file, in raw mode, and starts reading it.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        post: operations["filesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["filesGet"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description Deletes the dataset, as `DELETE /api/v1/datasets/{dataset_id}` does.
         *
         *     **Data:** Deletes the dataset at once. Its files, and models trained on it, are erased within a day. This cannot be undone.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:write`.
         */
        delete: operations["filesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/{file_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Redirects to the file as it was uploaded, for fifteen minutes. A dataset that was not uploaded as one file has its rows as JSON Lines instead, as `GET /api/v1/datasets/{dataset_id}/download` has them.
         *
         *     **Data:** Changes no rows. The first request for the rows of a dataset builds the file.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `datasets:read`.
         */
        get: operations["filesContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fine_tuning/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fine-tuning jobs of the team
         * @description All trainings of the team, newest first.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["fineTuningJobsList"];
        put?: never;
        /**
         * Fine-tune a model, as in OpenAI’s API
         * @description A training (`POST /api/v1/autoscientist`) in the words of OpenAI’s API. With all hyperparameters given it trains once; with `auto` it tries others until the model is better than its base, as a training does.
         *
         *     **Data:** Trains a model on a copy of the rows; the files stay as they are.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["fineTuningJobsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fine_tuning/jobs/{fine_tuning_job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a fine-tuning job
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["fineTuningJobsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a fine-tuning job
         * @description Ends it at once; one that has ended is answered as it is.
         *
         *     **Data:** Ends the training. One that was cancelled has no model; what was measured stays in its events.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["fineTuningJobsCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the checkpoints of a fine-tuning job
         * @description Newest first: the model that each iteration left, with its losses and its win rate.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["fineTuningJobsCheckpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a fine-tuning job
         * @description Newest first: its states, and the losses of its steps.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        get: operations["fineTuningJobsEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse to pause a fine-tuning job
         * @description The trainers of the service do not pause: a 400 says what to do instead.
         *
         *     **Data:** Changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["fineTuningJobsPause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fine_tuning/jobs/{fine_tuning_job_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse to resume a fine-tuning job
         * @description The trainers of the service do not pause, so that no job waits to go on.
         *
         *     **Data:** Changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         */
        post: operations["fineTuningJobsResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account of the key
         * @description Who the key belongs to, what it may do, the limits of the team and its credits.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key, of any scope.
         */
        get: operations["meGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that answer
         * @description Hosted models, the stacks of the team, and the models that it has trained, where they are served.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["modelsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model that answers
         * @description A slash in its id is sent as `%2F`.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["modelsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs no key.
         */
        get: operations["serviceOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer with a model
         * @description Answers the response object of OpenAI’s Responses API, or with `stream` its events as server-sent events, which `data: [DONE]` ends. `response.created` and `response.in_progress` are first; each item of the output begins with `response.output_item.added` and ends with `response.output_item.done`, with its text (`response.output_text.delta`) or the arguments of its call (`response.function_call_arguments.delta`) between them; `response.completed`, `response.incomplete` or `response.failed` is last and has the whole response. What fails before the first event has an error status, unless a keep-alive was sent, after 15 seconds without output. What fails afterwards is a response of status 200 that ends as `failed`, with the event `response.failed`; so is, also before the first event, an answer without what `tool_choice` demands (`tool_not_called`, `ungrounded`), or a longer one than can be given (`answer_too_large`). With `store`, the response can be read, and gone on from by `previous_response_id`, for 30 days.
         *
         *     **Data:** Stores nothing unless `store` is true; then the response and its input are kept for 30 days. Datasets are searched, never changed.
         *
         *     **Credits:** Charges the tokens that the model reads and writes, at the price of the model, also of an answer that fails. A request that ends with an error status is charged if the model had begun to answer, or had to be given up (a timeout, or a caller who leaves); otherwise it is free.
         *
         *     Needs a key with the scope `responses`.
         */
        post: operations["responsesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a stored response
         * @description `include` adds what the request did not ask to see. Its events are not told again: `stream` is refused.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["responsesGet"];
        put?: never;
        post?: never;
        /**
         * Delete a stored response with its input
         * @description Responses that went on from it stay; their conversation then begins after it.
         *
         *     **Data:** Deletes the response with its input and output. This cannot be undone.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        delete: operations["responsesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/responses/{response_id}/input_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the conversation that a stored response answered
         * @description What came before it by `previous_response_id`, input and output, and then what was sent for it. A page ends before `limit` where its items would be more than can be read at once.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["responsesInputItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tool servers that this installation offers
         * @description Name one by its `server_label` in a tool of the type `mcp`. Those that cannot be used with this key are listed too, with the reason.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `responses`.
         */
        get: operations["toolsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/training-models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that can be trained (use /autoscientist/models)
         * @deprecated
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `training`.
         *
         *     Kept for older clients: use `/api/v1/autoscientist/models`.
         */
        get: operations["trainingModelsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of the team
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `webhooks`.
         */
        get: operations["webhooksList"];
        put?: never;
        /**
         * Create a webhook
         * @description Events are sent to `url` by POST, signed as Standard Webhooks says. The response has the secret, once. It gets the events that the key of this request can read, now and later, whatever becomes of the key.
         *
         *     **Data:** Creates a webhook. Events from now on are sent to it.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `webhooks`.
         */
        post: operations["webhooksCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `webhooks`.
         */
        get: operations["webhooksGet"];
        put?: never;
        /**
         * Change a webhook, or enable it again
         * @description Fields that are absent stay as they are.
         *
         *     **Data:** Changes the webhook; deliveries that are pending go to the new address.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `webhooks`.
         */
        post: operations["webhooksUpdate"];
        /**
         * Delete a webhook
         * @description **Data:** Deletes the webhook at once. Its pending deliveries are not sent. This cannot be undone.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `webhooks`.
         */
        delete: operations["webhooksDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description What became of each event of the last 30 days, the newest first. Bodies of responses are not kept.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `webhooks`.
         */
        get: operations["webhooksDeliveriesList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries/{position}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event to a webhook again
         * @description Of a delivery that was given up, or that arrived already; with the attempts of a new one. A pending one is sent now.
         *
         *     **Data:** The delivery becomes pending; nothing else changes.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `webhooks`.
         */
        post: operations["webhooksDeliveriesRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret
         * @description For 24 hours every request is signed with both secrets, so that the receiver can change over without losing one. Rotating again within that time ends the older of the two at once.
         *
         *     **Data:** Replaces the secret; the one before it signs for another 24 hours.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `webhooks`.
         */
        post: operations["webhooksRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook
         * @description Sends `webhook.test` to this webhook alone, as any other event. `deliveries` shows what became of it.
         *
         *     **Data:** Creates an event; nothing else changes.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs a key with the scope `webhooks`.
         */
        post: operations["webhooksTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the console in a browser
         * @description A page that needs an API key for all that it shows: the reader enters it there.
         *
         *     **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs no key.
         */
        get: operations["serviceConsole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file of the console
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs no key.
         */
        get: operations["serviceConsoleAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the documentation in a browser
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs no key.
         */
        get: operations["serviceDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file of the documentation page
         * @description **Data:** Reads only; changes nothing.
         *
         *     **Credits:** Costs no credits.
         *
         *     Needs no key.
         */
        get: operations["serviceDocsAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event
         * @description The service sends each event of the team to each webhook at least once, by the Standard Webhooks specification. Verify the signature of the body as it came, before it is parsed. Answer within 10 seconds; another status than 2xx, or none, is another attempt later.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        CreateTrainingRequest: {
            /**
             * @description Id of the dataset, 1 to 200 characters. It has to be adapted, or ingested with `processing_mode: raw`.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /** @description Version of the dataset to train on, from 1; see `GET /api/v1/datasets/{dataset_id}/versions`. Default: the newest finished one. */
            dataset_version?: number;
            /**
             * @description Rows of an adapted version whose `doubt` is 0.5 or more: trained on and compared as the others (`keep`), or neither (`leave_out`). Default: `keep`.
             * @enum {string}
             */
            doubtful_rows?: "keep" | "leave_out";
            /** @description Id from `GET /api/v1/autoscientist/models`. If omitted, a model is selected for the dataset. */
            model?: string;
            /**
             * @description `instruction` trains on completions, `alignment` also on preference pairs. A dataset without pairs is trained with `instruction`. Default: `instruction`.
             * @enum {string}
             */
            training_method?: "instruction" | "alignment";
            /**
             * @description Format of the training rows of a raw dataset. Default: `chat`.
             * @enum {string}
             */
            data_format?: "chat" | "instruction";
            /** @description Which columns hold what. If omitted, it is inferred. */
            column_mapping?: {
                /** @description Column with the prompts. */
                prompt?: string;
                /** @description Column with the completions to train on. */
                completion?: string;
                /** @description Column with reasoning traces; needs a model that takes them. */
                reasoning_trace?: string;
                /** @description Column with the preferred answers; needs `rejected`. */
                chosen?: string;
                /** @description Column with the dispreferred answers; needs `chosen`. */
                rejected?: string;
            };
            /**
             * @description Hyperparameters that replace the derived ones.
             * @example {
             *       "n_epochs": 3
             *     }
             */
            hyperparams?: {
                /**
                 * @description `lora` trains an adapter, `full` all weights, on which the `lora_*` fields have no effect. Derived when omitted.
                 * @example lora
                 * @enum {string}
                 */
                training_type?: "lora" | "full";
                /**
                 * @description Passes over the training rows, 1 to 20.
                 * @example 3
                 */
                n_epochs?: number;
                /**
                 * @description Peak learning rate, 1e-8 to 0.01.
                 * @example 0.0001
                 */
                learning_rate?: number;
                /**
                 * @description Rows per optimizer step: an integer from 1, or `max` (default) for the largest that fits.
                 * @example max
                 */
                batch_size?: "max" | number;
                /** @description Rank of the adapter, 1 to 64. */
                lora_r?: number;
                /** @description Scaling of the adapter: 1 or 2 times `lora_r`. */
                lora_alpha?: number;
                /** @description Dropout of the adapter, 0 to 1. Default: 0. */
                lora_dropout?: number;
                /** @description `all-linear`, or names of modules separated by commas, up to 1,000 characters. */
                lora_trainable_modules?: string;
                /**
                 * @description Course of the learning rate after the warm-up.
                 * @example cosine
                 * @enum {string}
                 */
                lr_scheduler_type?: "linear" | "cosine" | "constant";
                /** @description Final learning rate as a share of its peak, 0 to 1. */
                min_lr_ratio?: number;
                /** @description Cycles of the cosine schedule, 0 to 4. Default: 0.5. */
                scheduler_num_cycles?: number;
                /**
                 * @description Share of the steps in which the learning rate rises, 0 to 1.
                 * @example 0.03
                 */
                warmup_ratio?: number;
                /** @description Norm to which gradients are clipped, from 0. */
                max_grad_norm?: number;
                /** @description Weight decay, from 0. Default: 0. */
                weight_decay?: number;
                /** @description True: the loss covers prompts and completions; false: completions only. If omitted, decided per row: completions, and the whole text of a row without a prompt. */
                train_on_inputs?: boolean;
                /** @description Strength of the reference in preference training, 0.05 to 0.9. Higher stays closer to the reference. */
                dpo_beta?: number;
                /** @description Whether preference training divides log-ratios by the length of the answer. True when `simpo_gamma` is above 0. */
                dpo_normalize_logratios_by_length?: boolean;
                /** @description Weight of the likelihood loss on chosen answers, from 0. Default: 0. Excludes `simpo_gamma`. */
                rpo_alpha?: number;
                /** @description Margin of SimPO, from 0. Default: 0 (off). Excludes `rpo_alpha`. */
                simpo_gamma?: number;
                /** @description Of earlier requests: accepted and not read. Omit it. */
                base_model_size?: string;
            };
            /** @description Rows on the topics of the dataset that a model writes after its rows and that are added before the training, 0 to 40,000. Default: 0. */
            augmentation_domain_rows?: number;
            /** @description Rows on topics of all kinds that a model writes and that are added before the training, 0 to 50,000. Default: 0. */
            augmentation_general_rows?: number;
            /**
             * @description Key of 1 to 255 characters, per dataset. While the training that was started with it is active, a repeated request returns that training.
             * @example nightly-2026-11-22
             */
            idempotency_key?: string;
            /** @description Discount code, 1 to 64 characters. */
            voucher?: string;
            /** @description The most iterations, 1 to 10. Default: that of the model, currently 3. */
            max_iterations?: number;
            /** @description Win rate against the base model at which the training ends, above 0 and at most 1. Default: 0.7 for small models, 0.8 for larger ones. */
            target_win_rate?: number;
        };
        CreateComparisonRequest: {
            /**
             * @description Id of the dataset, 1 to 200 characters. Its latest adaptation has to be successful.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /** @description Id from `GET /api/v1/autoscientist/models`. If omitted, a model is selected for the dataset. */
            model?: string;
            /**
             * @description `instruction` trains on completions. The originals have no preference pairs, so `alignment` becomes `instruction`.
             * @enum {string}
             */
            training_method?: "instruction" | "alignment";
            /**
             * @description Hyperparameters that replace the derived ones, the same for all trainings.
             * @example {
             *       "n_epochs": 3
             *     }
             */
            hyperparams?: {
                /**
                 * @description `lora` trains an adapter, `full` all weights, on which the `lora_*` fields have no effect. Derived when omitted.
                 * @example lora
                 * @enum {string}
                 */
                training_type?: "lora" | "full";
                /**
                 * @description Passes over the training rows, 1 to 20.
                 * @example 3
                 */
                n_epochs?: number;
                /**
                 * @description Peak learning rate, 1e-8 to 0.01.
                 * @example 0.0001
                 */
                learning_rate?: number;
                /**
                 * @description Rows per optimizer step: an integer from 1, or `max` (default) for the largest that fits.
                 * @example max
                 */
                batch_size?: "max" | number;
                /** @description Rank of the adapter, 1 to 64. */
                lora_r?: number;
                /** @description Scaling of the adapter: 1 or 2 times `lora_r`. */
                lora_alpha?: number;
                /** @description Dropout of the adapter, 0 to 1. Default: 0. */
                lora_dropout?: number;
                /** @description `all-linear`, or names of modules separated by commas, up to 1,000 characters. */
                lora_trainable_modules?: string;
                /**
                 * @description Course of the learning rate after the warm-up.
                 * @example cosine
                 * @enum {string}
                 */
                lr_scheduler_type?: "linear" | "cosine" | "constant";
                /** @description Final learning rate as a share of its peak, 0 to 1. */
                min_lr_ratio?: number;
                /** @description Cycles of the cosine schedule, 0 to 4. Default: 0.5. */
                scheduler_num_cycles?: number;
                /**
                 * @description Share of the steps in which the learning rate rises, 0 to 1.
                 * @example 0.03
                 */
                warmup_ratio?: number;
                /** @description Norm to which gradients are clipped, from 0. */
                max_grad_norm?: number;
                /** @description Weight decay, from 0. Default: 0. */
                weight_decay?: number;
                /** @description True: the loss covers prompts and completions; false: completions only. If omitted, decided per row: completions, and the whole text of a row without a prompt. */
                train_on_inputs?: boolean;
                /** @description Strength of the reference in preference training, 0.05 to 0.9. Higher stays closer to the reference. */
                dpo_beta?: number;
                /** @description Whether preference training divides log-ratios by the length of the answer. True when `simpo_gamma` is above 0. */
                dpo_normalize_logratios_by_length?: boolean;
                /** @description Weight of the likelihood loss on chosen answers, from 0. Default: 0. Excludes `simpo_gamma`. */
                rpo_alpha?: number;
                /** @description Margin of SimPO, from 0. Default: 0 (off). Excludes `rpo_alpha`. */
                simpo_gamma?: number;
                /** @description Of earlier requests: accepted and not read. Omit it. */
                base_model_size?: string;
            };
            /** @description Which columns hold the original prompts and answers. If omitted, those that the adaptation mapped. */
            column_mapping?: {
                /** @description Column with the prompts. */
                prompt: string;
                /** @description Column with the completions to train on. */
                completion: string;
            };
            /**
             * @description Seeds, 1 to 5. Each trains both sides once more. Default: 1, which does not show how much seeds differ.
             * @example 1
             */
            seeds?: number;
            /**
             * @description Key of 1 to 255 characters, per dataset. While the comparison that was started with it is active, a repeated request returns that comparison.
             * @example nightly-2026-11-22
             */
            idempotency_key?: string;
            /**
             * @description If true, validates the request and returns what would be trained; nothing starts. Default: false.
             * @example true
             */
            estimate?: boolean;
        };
        RecommendHyperparamsRequest: {
            /**
             * @description Id of the dataset, 1 to 200 characters.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /** @description Id from `GET /api/v1/autoscientist/models`. If omitted, a model is selected for the dataset. */
            model?: string;
            /**
             * @description Method that the training would be created with. Default: `instruction`, as there.
             * @enum {string}
             */
            training_method?: "instruction" | "alignment";
            /** @description Rows on the topics of the dataset that a training would have a model write, 0 to 40,000. Default: 0. */
            augmentation_domain_rows?: number;
            /** @description Rows on topics of all kinds that a training would have a model write, 0 to 50,000. Default: 0. */
            augmentation_general_rows?: number;
        };
        CreateChatCompletionRequest: {
            /**
             * @description Id of a hosted model, of a training of the team, or `stack:<slug>`
             * @example stack:support
             */
            model: string;
            /**
             * @description The conversation, 1 to 10,000 messages.
             * @example [
             *       {
             *         "role": "user",
             *         "content": "How do I reset my password?"
             *       }
             *     ]
             */
            messages: ({
                /**
                 * @description Who speaks.
                 * @constant
                 */
                role: "system";
                /** @description Text of the message, or its parts. */
                content: string | {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "text";
                    /** @description Text, up to 4,000,000 characters. */
                    text: string;
                }[];
                /** @description Not supported; omit it. */
                name?: null;
            } | {
                /**
                 * @description Who speaks.
                 * @constant
                 */
                role: "developer";
                /** @description Text of the message, or its parts. */
                content: string | {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "text";
                    /** @description Text, up to 4,000,000 characters. */
                    text: string;
                }[];
                /** @description Not supported; omit it. */
                name?: null;
            } | {
                /**
                 * @description Who speaks.
                 * @constant
                 */
                role: "user";
                /** @description Text of the message, or its parts. */
                content: string | ({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "text";
                    /** @description Text, up to 4,000,000 characters. */
                    text: string;
                } | {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "image_url";
                    /** @description The image. */
                    image_url: {
                        /** @description Image as a `data:` URL or an http(s) URL. */
                        url: string;
                        /**
                         * @description Resolution at which the model reads the image.
                         * @enum {string}
                         */
                        detail?: "auto" | "low" | "high";
                    };
                })[];
                /** @description Not supported; omit it. */
                name?: null;
            } | {
                /**
                 * @description Who speaks.
                 * @constant
                 */
                role: "assistant";
                /** @description Text of the message, or its parts; null beside calls. */
                content?: (string | ({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "text";
                    /** @description Text, up to 4,000,000 characters. */
                    text: string;
                } | {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "refusal";
                    /** @description Text of a refusal, up to 4,000,000 characters. */
                    refusal: string;
                })[]) | null;
                /** @description Text of a refusal. */
                refusal?: string | null;
                /** @description Calls of functions, up to 128. */
                tool_calls?: {
                    /** @description Id that connects a call with its output, up to 256 characters. */
                    id: string;
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "function";
                    /** @description The function and its arguments. */
                    function: {
                        /** @description Name of the function, up to 128 characters. */
                        name: string;
                        /** @description Arguments as JSON text. */
                        arguments: string;
                    };
                }[] | null;
                /** @description Citations of an earlier answer; the model does not read them. */
                annotations?: unknown[] | null;
                /** @description Not supported; omit it. */
                audio?: null;
                /** @description Not supported; send `tool_calls`. */
                function_call?: null;
                /** @description Not supported; omit it. */
                name?: null;
            } | {
                /**
                 * @description Who speaks.
                 * @constant
                 */
                role: "tool";
                /** @description Id of the call, up to 256 characters. */
                tool_call_id: string;
                /** @description Result of the function: text, or parts. */
                content: string | {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "text";
                    /** @description Text, up to 4,000,000 characters. */
                    text: string;
                }[];
                /** @description Name of the function, up to 128 characters; the call has it. */
                name?: string | null;
            })[];
            /**
             * @description The most tokens of the answer, 1 to 1,000,000.
             * @example 200
             */
            max_completion_tokens?: number | null;
            /** @description The older name of `max_completion_tokens`. */
            max_tokens?: number | null;
            /** @description Sampling temperature, 0 to 2. */
            temperature?: number | null;
            /** @description Nucleus sampling: share of the probability mass, above 0 and at most 1. */
            top_p?: number | null;
            /** @description Up to 4 texts of up to 256 characters at which the answer ends. */
            stop?: (string | string[]) | null;
            /** @description Seed of sampling, for providers that have one. */
            seed?: number | null;
            /** @description If true, the answer is a stream of server-sent events; otherwise one object. Default: false. */
            stream?: boolean | null;
            /** @description Options of the stream. */
            stream_options?: {
                /** @description Whether a last chunk tells the tokens. Default: false. */
                include_usage?: boolean | null;
                /** @description Only false is accepted. */
                include_obfuscation?: false | null;
            } | null;
            /** @description Functions that the model may call, up to 128. */
            tools?: {
                /**
                 * @description Kind of the object. Other tools are those of `POST /api/v1/responses`.
                 * @constant
                 */
                type: "function";
                /** @description The function. */
                function: {
                    /** @description Name of the function: 1 to 64 letters, digits, `_` and `-`. */
                    name: string;
                    /** @description What the function does. */
                    description?: string | null;
                    /** @description JSON Schema of the arguments. */
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Whether arguments have to satisfy the schema. */
                    strict?: boolean | null;
                };
            }[] | null;
            /** @description `auto` (default), `none`, `required`, or the function that has to be called. */
            tool_choice?: (("auto" | "none" | "required") | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "function";
                /** @description The function. */
                function: {
                    /** @description Name of the function that has to be called. */
                    name: string;
                };
            }) | null;
            /** @description Whether the model may call several tools at once. */
            parallel_tool_calls?: boolean | null;
            /** @description Plain text (default), JSON, or JSON of a schema. */
            response_format?: ({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "text";
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "json_object";
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "json_schema";
                /** @description The schema. */
                json_schema: {
                    /** @description Name of the schema, 1 to 64 characters. */
                    name: string;
                    /** @description What the answer is for. */
                    description?: string | null;
                    /** @description JSON Schema of the answer. */
                    schema: {
                        [key: string]: unknown;
                    };
                    /** @description Whether the answer has to satisfy the schema. */
                    strict?: boolean | null;
                };
            }) | null;
            /** @description How much the model reasons, as its provider names it. */
            reasoning_effort?: string | null;
            /** @description Id of your user, up to 512 characters; passed to the provider. */
            user?: string | null;
            /** @description Id of your user for the provider’s safety checks, up to 512 characters. */
            safety_identifier?: string | null;
            /** @description Key of the provider’s prompt cache, up to 512 characters. */
            prompt_cache_key?: string | null;
            /** @description How long the provider keeps its prompt cache. */
            prompt_cache_retention?: ("in_memory" | "24h") | null;
            /** @description Up to 16 texts by name; names up to 64, values up to 512 characters. They are not kept: `store` is not offered. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Only 1 is accepted. */
            n?: 1 | null;
            /** @description Only false is accepted. */
            logprobs?: false | null;
            /** @description Only 0 is accepted. */
            top_logprobs?: 0 | null;
            /** @description Only 0 is accepted. */
            presence_penalty?: 0 | null;
            /** @description Only 0 is accepted. */
            frequency_penalty?: 0 | null;
            /** @description Only `auto` and `default` are accepted. */
            service_tier?: ("auto" | "default") | null;
            /** @description Only `medium` is accepted. */
            verbosity?: "medium" | null;
            /** @description Only false is accepted. */
            store?: false | null;
            /** @description Only null or an empty object. */
            logit_bias?: Record<string, never> | null;
            /** @description Only `["text"]`. */
            modalities?: "text"[] | null;
            /** @description Not supported; omit it. */
            audio?: null;
            /** @description Not supported; omit it. */
            prediction?: null;
            /** @description Not supported; omit it. */
            moderation?: null;
            /** @description Not supported; use `prompt_cache_key`. */
            prompt_cache_options?: null;
            /** @description Not supported; omit it. */
            web_search_options?: null;
            /** @description Not supported; send `tools`. */
            functions?: null;
            /** @description Not supported; send `tool_choice`. */
            function_call?: null;
        };
        CreateDatasetRequest: {
            /** @description Where the rows come from. */
            source: {
                /**
                 * @description Discriminator of the older request shape. Omit it.
                 * @enum {string}
                 */
                type?: "file" | "huggingface" | "kaggle";
                /** @description URL to import from: Hugging Face, Kaggle, Google Sheets, or one public file on S3 or Cloud Storage. Up to 2,000 characters. If omitted, the response says where to upload a file. */
                url?: string;
                /** @description Paths of the files to import, up to 1,000. Required for Hugging Face and Kaggle. */
                files?: string[];
                /** @description Titles of the tabs to import from Google Sheets, up to 200. If omitted or empty, all tabs are imported. */
                sheet_names?: string[];
                /** @description Older form of `sheet_names` for one tab; ignored when `sheet_names` is given. */
                sheet_name?: string;
                /**
                 * @description Google Sheets only: `public` reads a sheet that is shared by link; `oauth` (default) needs a connected account.
                 * @enum {string}
                 */
                access?: "oauth" | "public";
                /**
                 * @description Name of the dataset, 1 to 255 characters. Required for uploads; an extension such as `.csv` sets the format.
                 * @example support-answers
                 */
                name?: string;
                /**
                 * @description Format of the file. Overrides the extension of `name`.
                 * @example csv
                 * @enum {string}
                 */
                file_format?: "csv" | "json" | "jsonl" | "parquet" | "pdf" | "docx" | "pptx" | "xlsx" | "html" | "zip" | "txt";
                /** @description For uploads: size of the file in bytes, 0 to 2,147,483,648. If given, the URL takes a file of this size only. */
                file_size_bytes?: number;
                /**
                 * @description `adapt` (default) prepares the dataset for an adaptation; `raw` makes it trainable as it is and needs `column_mapping`.
                 * @enum {string}
                 */
                processing_mode?: "adapt" | "raw";
                /** @description Which columns hold what. Required for `raw`, ignored otherwise, whatever it is. */
                column_mapping?: components["schemas"]["RawColumnMapping"] | unknown;
                /** @description If true, the file is stored and not read until `start-adaption` is called. Default: false. */
                defer_adaption?: boolean;
                /**
                 * @description Share of the rows of a CSV, JSON or JSON Lines file that may be left out because they cannot be read, 0 to 0.5; `warnings` name the first of them by line and reason. Default: 0, the first such row fails the dataset.
                 * @example 0.01
                 */
                max_unreadable_share?: number;
            };
            /** @description The same as `source.defer_adaption`. */
            defer_adaption?: boolean;
        };
        RawColumnMapping: {
            /** @description Column with the prompt of each row. Required unless `chat` is given. */
            prompt?: string;
            /** @description Column with the completion of each row. Required unless `chat`, or `chosen` and `rejected` are given. */
            completion?: string;
            /** @description Column with a conversation per row, whose last reply is the completion. Excludes `prompt`, `completion`, `chosen` and `rejected`. */
            chat?: string;
            /** @description Column with the preferred answer. With `rejected` it makes a preference dataset. */
            chosen?: string;
            /** @description Column with the dispreferred answer. Required with `chosen`. */
            rejected?: string;
            /** @description Columns with context: a training folds them into the prompt, and they stay columns of the dataset. An unknown name fails the request. */
            context?: string[];
        };
        CombineRequest: {
            /**
             * @description Datasets to merge, 2 to 10 different ids. Their rows are joined in this order.
             * @example [
             *       "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
             *       "9b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42"
             *     ]
             */
            dataset_ids: string[];
            /**
             * @description Name of the merged dataset, 1 to 255 characters.
             * @example support-answers-all
             */
            name: string;
        };
        InventRequest: {
            /**
             * @description Rows to generate, at least 1; the plan limits the number per launch.
             * @example 100
             */
            rows: number;
            /**
             * @description Name of the dataset, 1 to 255 characters. If omitted, it is made from the domains.
             * @example cooking-questions
             */
            name?: string;
            /**
             * @description `instruction_dataset` (default) writes prompts and completions; `preference_pairs` also writes a chosen and a rejected answer.
             * @enum {string}
             */
            training_type?: "instruction_dataset" | "preference_pairs";
            /**
             * @description Domain codes from `GET /api/v1/datasets/invent/domains`, up to 500. If given, nothing is inferred.
             * @example [
             *       "cooking_food"
             *     ]
             */
            domains?: string[];
            /** @description Subdomain codes as `domain.subdomain`, up to 500. A domain without a listed subdomain uses all of its subdomains. */
            subdomains?: string[];
            /** @description Adds rows in other languages, which are billed as well. */
            language_expansion?: components["schemas"]["LanguageExpansion"] | null;
            /**
             * @description Description of the dataset, 1 to 10,000 characters. If omitted, it is written from the topics. Required when `domains` and `subdomains` are both omitted.
             * @example Questions on baking bread at home
             */
            dataset_prompt?: string;
            /**
             * @deprecated
             * @description Use dataset_prompt
             */
            prompt?: string;
            /**
             * @description If true, validates the request and returns its price; nothing is created and no credits are reserved. Default: false.
             * @example true
             */
            estimate?: boolean;
            /**
             * @description Key of 1 to 255 characters. A repeated request with the same key returns the first dataset.
             * @example nightly-2026-11-22
             */
            idempotency_key?: string;
        };
        LanguageExpansion: {
            /**
             * @description `translate` adds rows in other languages; `localize` also adapts them to a country.
             * @constant
             */
            type: "translate";
            /** @description Target languages, 1 to 50 different ones: ISO 639-1 codes, three-letter codes where no two-letter code exists, `zh-Hans` or `zh-Hant` for Chinese. Case-insensitive. */
            languages: string[];
            /**
             * @description Share of the rows that is expanded for each target, 0.01 to 1.
             * @example 0.5
             */
            sample_rate: number;
        } | {
            /**
             * @description `translate` adds rows in other languages; `localize` also adapts them to a country.
             * @constant
             */
            type: "localize";
            /** @description Target countries with their languages, 1 to 50 different pairs. */
            pairs: {
                /**
                 * @description Country as an ISO 3166-1 alpha-2 code, such as `MX`; case-insensitive.
                 * @example MX
                 */
                country: string;
                /**
                 * @description Language as an ISO 639-1 code, such as `es`, with a script where needed (`zh-Hant`).
                 * @example es
                 */
                language: string;
            }[];
            /**
             * @description Share of the rows that is expanded for each target, 0.01 to 1.
             * @example 0.5
             */
            sample_rate: number;
        };
        AdaptRequest: {
            /** @description Which columns hold what. Required unless `estimate` is true. */
            column_mapping?: components["schemas"]["ColumnMapping"];
            /** @description Which steps the adaptation takes. */
            recipe_specification?: {
                /** @description Reserved: stored and not read. Omit it. */
                version?: string;
                /** @description Steps to switch on or off. Omitted steps use their defaults. */
                recipes?: {
                    /** @description Whether prompts are rephrased when that improves them. Default: true when `prompt` is mapped, false otherwise. */
                    prompt_rephrase?: boolean;
                    /**
                     * @description Whether rows that repeat an earlier row are dropped. Dropped rows are not billed. Default: false.
                     * @example true
                     */
                    deduplication?: boolean;
                    /** @description Whether a column `reasoning_trace` with the steps to each completion is written. Default: false. */
                    reasoning_traces?: boolean;
                    /**
                     * @description What is done about answers that look right and may be wrong. Left out: code in rows is run on the examples that the rows bring, and rows are compared with each other; no model is asked, nothing is changed, and a row that is probably wrong has a `doubt` and a note `doubtful_answer`. `flag`, `correct` and `drop` also ask the judge model, which answers each request without seeing its answer, and is believed as far as it was right on questions whose answers are known. With `flag` the download has the columns `doubt` and `doubt_reasons`. `correct` also replaces an answer that is wrong with a probability of 0.9 and whose error the judge quotes; on rows that are harder than those questions it may spoil right ones, so try `flag` first. `drop` leaves out the rows that are rather wrong than right (a probability from 0.5 on); dropped rows are not billed. `off`: nobody looks.
                     * @enum {string}
                     */
                    verification?: "off" | "flag" | "correct" | "drop";
                    /** @description With `verification` `flag`, `correct` or `drop`: the most rows that the model is asked about, 1 to 1,000,000. Rows that are doubted without a model come first, the most probably wrong ones before the others, then a random sample. Default: all rows. */
                    verification_rows?: number;
                    /** @description Drops the rows in which one of the named checks finds something. Dropped rows are not billed. */
                    lint?: {
                        /** @description Checks; a row in which one of them finds something is dropped. */
                        drop: ("completion_empty" | "completion_degenerate" | "contaminated" | "arithmetic_wrong" | "code_unparsable" | "answer_invalid" | "personal_data")[];
                        /** @description Texts of benchmarks, 1 to 10,000 of up to 20,000 characters each. Rows must not share 13 words in a row with them. */
                        benchmarks?: string[];
                        /** @description JSON Schema that every completion has to satisfy. */
                        answer_schema?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description How many rows to process, how, and the idempotency key. */
            job_specification?: {
                /** @description The most rows to process, at least 1. A random sample is taken, or the first rows when images are mapped. If it exceeds the rows of the dataset, all rows are processed. It is how a run is limited in credits: ask for the price with `estimate` first. */
                max_rows?: number;
                /**
                 * @description Key of 1 to 255 characters. A repeated request with the same key and body returns the first response and starts nothing.
                 * @example nightly-2026-11-22
                 */
                idempotency_key?: string;
                /**
                 * @description `batch` makes the model calls in batch jobs of the provider: half the credits (but for rows of `language_expansion`), and a run takes hours, at most two days and the time of a `standard` run. Calls that a batch job does not answer are made singly, at no further cost. Default: `standard`.
                 * @enum {string}
                 */
                processing?: "standard" | "batch";
            };
            /** @description Controls for the wording of generated text. */
            brand_controls?: {
                /**
                 * @description Length of answers in words: `minimal` 3 to 25, `concise` 26 to 70, `detailed` 71 to 180, `extensive` 181 to 450.
                 * @example concise
                 * @enum {string}
                 */
                length?: "minimal" | "concise" | "detailed" | "extensive";
                /** @description Any non-empty list scores every row in all five categories, in the columns `prompt_safety_issues` and `response_safety_issues`. A text that was not scored has null scores and the reason in `not_scored`. Rows are annotated, never removed; `/run` besides drops rows whose completion violates a named category or was not scored, and empties generated completions that do or were not. */
                safety_categories?: ("violence" | "self_harm" | "harassment" | "hate" | "sexual")[];
                /** @description Whether answers are grounded in a web search. Default: false. */
                hallucination_mitigation?: boolean;
                /** @description System prompt for every generated completion, 1 to 20,000 characters. */
                blueprint?: string;
            };
            /**
             * @description `instruction_dataset` (default) writes prompts and completions; `preference_pairs` also writes the columns `chosen` and `rejected`.
             * @enum {string}
             */
            training_type?: "instruction_dataset" | "preference_pairs";
            /**
             * @description If true, validates the request and returns its price; no run starts and no credits are reserved. Default: false.
             * @example true
             */
            estimate?: boolean;
            /** @description If false, every row is adapted anew. Otherwise rows that an earlier run adapted with the same settings are reused: no model is asked about them, and they cost nothing again. Web-grounded answers are never reused. Default: true. */
            reuse?: boolean;
            /** @description Adds rows in other languages. Warning: if omitted, the previous expansion of the dataset runs again and is billed; pass `null` to remove it. */
            language_expansion?: components["schemas"]["LanguageExpansion"] | null;
            /** @description Id of a pilot of the dataset: runs the arm that it recommends, and takes over the rows that are done, once, which cost nothing again. With `max_rows`, or an arm that drops repeated rows, every row is decided anew. Not together with `column_mapping`, `recipe_specification`, `brand_controls` and `training_type`, which the arm has. */
            pilot_id?: string;
            /** @description Number of the arm to run instead of the recommended one. Only with `pilot_id`. */
            pilot_arm?: number;
        };
        ColumnMapping: {
            /**
             * @description Column with the prompt of each row. Not allowed together with `chat` or `universal_prompt`.
             * @example question
             */
            prompt?: string;
            /**
             * @description Column with the completion (answer) of each row. If omitted, completions are generated.
             * @example answer
             */
            completion?: string;
            /** @description Column with a conversation per row: a list of `{role, content}`, nested or as JSON text. Excludes `prompt`, `completion`, `context` and `universal_prompt`. */
            chat?: string;
            /** @description Columns that the model sees beside the prompt, as it does in a training. They stay columns of the dataset. */
            context?: string[];
            /** @description One instruction for all rows (text, not a column name). Needs at least one `context` column or an `image` column. */
            universal_prompt?: string;
            /** @description Column with one image per row: URL, path or encoded bytes. It becomes a context column, which costs 10 credits per 100 rows and excludes the dataset from training. */
            image?: string;
        };
        AugmentRequest: {
            /**
             * @description Rows of the curated pool on the topics of this dataset
             * @example 100
             */
            domain_rows?: number;
            /**
             * @description Rows of the curated pool on other topics
             * @example 100
             */
            general_rows?: number;
            /** @description Rows that a model writes in the style of this dataset */
            similar_rows?: number;
            /** @description Whether `domain_rows` and `general_rows`, where left out, are those recommended */
            fill_to_recommended?: boolean;
            /**
             * @description Kind of the rows of the curated pool. Default: `instruction_dataset`.
             * @enum {string}
             */
            training_type?: "instruction_dataset" | "preference_pairs";
            /**
             * @description If true, validates the request and returns its price; nothing is created and no credits are reserved. Default: false.
             * @example true
             */
            estimate?: boolean;
            /**
             * @description Key of 1 to 255 characters. A repeated request with the same key returns the first dataset with zero credits.
             * @example nightly-2026-11-22
             */
            idempotency_key?: string;
        };
        CreateCustomEvalRequest: {
            /**
             * @description Instructions for the judge, 20 to 20,000 characters: integers from 0 to 10, and what earns them.
             * @example Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does.
             */
            judge_prompt: string;
            /**
             * @description Name, up to 120 characters.
             * @example Sources
             */
            name?: string;
        };
        ExtendTrajectoriesRequest: {
            /** @description Where the conversations are. Required unless `estimate` is true. */
            column_mapping?: {
                /** @description Column with a conversation per row, which ends with an assistant message. Excludes the other two. */
                chat?: string;
                /** @description Column with what came before the last answer: turns, or the text of one user message. */
                prompt?: string;
                /** @description Column with the last answer. */
                completion?: string;
            };
            /** @description How many rows to process, and the idempotency key. */
            job_specification?: {
                /** @description The most rows to process, at least 1. A random sample is taken, or the first rows when images are mapped. If it exceeds the rows of the dataset, all rows are processed. It is how a run is limited in credits: ask for the price with `estimate` first. */
                max_rows?: number;
                /**
                 * @description Key of 1 to 255 characters. A repeated request with the same key and body returns the first response and starts nothing.
                 * @example nightly-2026-11-22
                 */
                idempotency_key?: string;
            };
            /**
             * @description If true, validates the request and returns its price; nothing is created and no credits are reserved. Default: false.
             * @example true
             */
            estimate?: boolean;
        };
        LintRequest: {
            /** @description Which columns hold what. Default: the column mapping of the dataset. */
            column_mapping?: components["schemas"]["ColumnMapping"];
            /** @description Checks to make. Default: all for which the request has what they need. */
            checks?: ("completion_empty" | "completion_degenerate" | "contaminated" | "arithmetic_wrong" | "code_unparsable" | "answer_invalid" | "personal_data" | "near_duplicate")[];
            /** @description Texts of benchmarks, 1 to 10,000 of up to 20,000 characters each. Rows must not share 13 words in a row with them. */
            benchmarks?: string[];
            /** @description JSON Schema that every completion has to satisfy. */
            answer_schema?: {
                [key: string]: unknown;
            };
            /** @description Index of the first row to check, from 0. Default: 0. */
            first_row?: number;
            /** @description The most rows to check, 1 to 100,000. Default: 100,000. */
            max_rows?: number;
        };
        LocalizeRequest: {
            /** @description Target countries with their languages, 1 to 50 different pairs. */
            pairs: {
                /**
                 * @description Country as an ISO 3166-1 alpha-2 code, such as `MX`; case-insensitive.
                 * @example MX
                 */
                country: string;
                /**
                 * @description Language as an ISO 639-1 code, such as `es`, with a script where needed (`zh-Hant`).
                 * @example es
                 */
                language: string;
            }[];
            /**
             * @description Share of the rows that is expanded for each target
             * @example 0.5
             */
            sample_rate: number;
            /**
             * @description If true, validates the request and returns its price; nothing is created and no credits are reserved. Default: false.
             * @example true
             */
            estimate?: boolean;
            /**
             * @description Key of 1 to 255 characters. A repeated request with the same key returns the first dataset with zero credits.
             * @example nightly-2026-11-22
             */
            idempotency_key?: string;
        };
        PilotRequest: {
            /** @description Which columns hold what; the same for all arms. */
            column_mapping: components["schemas"]["ColumnMapping"];
            /**
             * @description The adaptations to compare, 1 to 8, or `auto`: a varied set is proposed from what the columns hold. Default: `auto`.
             * @default auto
             */
            arms: components["schemas"]["PilotArm"][] | "auto";
            /**
             * @description Rows that each arm adapts, 2 to 200, and at most the rows of the dataset; very long rows are left out. The same rows for all arms, stratified by language and length. Default: 30, or all rows of a smaller dataset.
             * @example 30
             */
            sample_rows?: number;
            /** @description The idempotency key. */
            job_specification?: {
                /**
                 * @description Key of 1 to 255 characters. A repeated request with the same key and body returns the first response and starts nothing.
                 * @example nightly-2026-11-22
                 */
                idempotency_key?: string;
            };
            /**
             * @description If true, validates the request and returns its arms and price; nothing starts and no credits are reserved. Default: false.
             * @example true
             */
            estimate?: boolean;
        };
        PilotArm: {
            /**
             * @description Name of the arm, 1 to 60 characters. Default: "Arm" and its number.
             * @example Concise
             */
            name?: string;
            /** @description Which steps the adaptation takes. */
            recipe_specification?: {
                /** @description Reserved: stored and not read. Omit it. */
                version?: string;
                /** @description Steps to switch on or off. Omitted steps use their defaults. */
                recipes?: {
                    /** @description Whether prompts are rephrased when that improves them. Default: true when `prompt` is mapped, false otherwise. */
                    prompt_rephrase?: boolean;
                    /**
                     * @description Whether rows that repeat an earlier row are dropped. Dropped rows are not billed. Default: false.
                     * @example true
                     */
                    deduplication?: boolean;
                    /** @description Whether a column `reasoning_trace` with the steps to each completion is written. Default: false. */
                    reasoning_traces?: boolean;
                    /**
                     * @description What is done about answers that look right and may be wrong. Left out: code in rows is run on the examples that the rows bring, and rows are compared with each other; no model is asked, nothing is changed, and a row that is probably wrong has a `doubt` and a note `doubtful_answer`. `flag`, `correct` and `drop` also ask the judge model, which answers each request without seeing its answer, and is believed as far as it was right on questions whose answers are known. With `flag` the download has the columns `doubt` and `doubt_reasons`. `correct` also replaces an answer that is wrong with a probability of 0.9 and whose error the judge quotes; on rows that are harder than those questions it may spoil right ones, so try `flag` first. `drop` leaves out the rows that are rather wrong than right (a probability from 0.5 on); dropped rows are not billed. `off`: nobody looks.
                     * @enum {string}
                     */
                    verification?: "off" | "flag" | "correct" | "drop";
                    /** @description With `verification` `flag`, `correct` or `drop`: the most rows that the model is asked about, 1 to 1,000,000. Rows that are doubted without a model come first, the most probably wrong ones before the others, then a random sample. Default: all rows. */
                    verification_rows?: number;
                    /** @description Drops the rows in which one of the named checks finds something. Dropped rows are not billed. */
                    lint?: {
                        /** @description Checks; a row in which one of them finds something is dropped. */
                        drop: ("completion_empty" | "completion_degenerate" | "contaminated" | "arithmetic_wrong" | "code_unparsable" | "answer_invalid" | "personal_data")[];
                        /** @description Texts of benchmarks, 1 to 10,000 of up to 20,000 characters each. Rows must not share 13 words in a row with them. */
                        benchmarks?: string[];
                        /** @description JSON Schema that every completion has to satisfy. */
                        answer_schema?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description Controls for the wording of generated text. */
            brand_controls?: {
                /**
                 * @description Length of answers in words: `minimal` 3 to 25, `concise` 26 to 70, `detailed` 71 to 180, `extensive` 181 to 450.
                 * @example concise
                 * @enum {string}
                 */
                length?: "minimal" | "concise" | "detailed" | "extensive";
                /** @description Any non-empty list scores every row in all five categories, in the columns `prompt_safety_issues` and `response_safety_issues`. A text that was not scored has null scores and the reason in `not_scored`. Rows are annotated, never removed; `/run` besides drops rows whose completion violates a named category or was not scored, and empties generated completions that do or were not. */
                safety_categories?: ("violence" | "self_harm" | "harassment" | "hate" | "sexual")[];
                /** @description Whether answers are grounded in a web search. Default: false. */
                hallucination_mitigation?: boolean;
                /** @description System prompt for every generated completion, 1 to 20,000 characters. */
                blueprint?: string;
            };
            /**
             * @description `instruction_dataset` (default) writes prompts and completions; `preference_pairs` also writes the columns `chosen` and `rejected`.
             * @enum {string}
             */
            training_type?: "instruction_dataset" | "preference_pairs";
        };
        /** @description Exactly one of `rows`, `file` and `s3_key`. */
        AppendRequest: {
            /**
             * @description Rows to append, 1 to 100,000: cells by column. A column that a row leaves out is null there. A body has at most 4 MiB.
             * @example [
             *       {
             *         "question": "How do I reset my password?",
             *         "answer": "Settings, then Reset."
             *       }
             *     ]
             */
            rows?: {
                [key: string]: unknown;
            }[];
            /** @description Asks where to upload a file with rows. Send its `s3_key` in a second request once it is there. */
            file?: {
                /** @description Name of the file, 1 to 255 characters. */
                name: string;
                /**
                 * @description Format of the file. Default: by the extension of `name`.
                 * @enum {string}
                 */
                file_format?: "csv" | "json" | "jsonl" | "parquet" | "pdf" | "docx" | "pptx" | "xlsx" | "html" | "zip" | "txt";
                /** @description Size of the file in bytes, 0 to 2,147,483,648. If given, the URL takes a file of this size only. */
                file_size_bytes?: number;
            };
            /** @description Object key of an uploaded file, from the response to a request with `file`. */
            s3_key?: string;
            /** @description With `s3_key`: SHA-256 of the file, 64 hexadecimal digits. If given, it is checked. */
            sha256?: string;
        };
        RunRequest: {
            /** @description Which columns hold what. Required unless `estimate` is true. */
            column_mapping?: {
                /**
                 * @description Column with the prompt of each row.
                 * @example question
                 */
                prompt: string;
                /**
                 * @description Column with the completion (answer) of each row. If omitted, completions are generated.
                 * @example answer
                 */
                completion?: string;
                /** @description Column with a conversation per row: a list of `{role, content}`. If given, conversations are what is read, and the other columns stay as they are. */
                chat?: string;
                /** @description Columns that the model sees beside the prompt, as it does in a training. They stay columns of the dataset. */
                context?: string[];
            } | components["schemas"]["ColumnMapping"];
            /** @description Which steps the adaptation takes. */
            recipe_specification?: {
                /** @description Reserved: stored and not read. Omit it. */
                version?: string;
                /** @description Steps to switch on or off. Omitted steps use their defaults. */
                recipes?: {
                    /** @description Whether prompts are rephrased when that improves them. Default: true when `prompt` is mapped, false otherwise. */
                    prompt_rephrase?: boolean;
                    /**
                     * @description Whether rows that repeat an earlier row are dropped. Dropped rows are not billed. Default: false.
                     * @example true
                     */
                    deduplication?: boolean;
                    /** @description Whether a column `reasoning_trace` with the steps to each completion is written. Default: false. */
                    reasoning_traces?: boolean;
                    /**
                     * @description What is done about answers that look right and may be wrong. Left out: code in rows is run on the examples that the rows bring, and rows are compared with each other; no model is asked, nothing is changed, and a row that is probably wrong has a `doubt` and a note `doubtful_answer`. `flag`, `correct` and `drop` also ask the judge model, which answers each request without seeing its answer, and is believed as far as it was right on questions whose answers are known. With `flag` the download has the columns `doubt` and `doubt_reasons`. `correct` also replaces an answer that is wrong with a probability of 0.9 and whose error the judge quotes; on rows that are harder than those questions it may spoil right ones, so try `flag` first. `drop` leaves out the rows that are rather wrong than right (a probability from 0.5 on); dropped rows are not billed. `off`: nobody looks.
                     * @enum {string}
                     */
                    verification?: "off" | "flag" | "correct" | "drop";
                    /** @description With `verification` `flag`, `correct` or `drop`: the most rows that the model is asked about, 1 to 1,000,000. Rows that are doubted without a model come first, the most probably wrong ones before the others, then a random sample. Default: all rows. */
                    verification_rows?: number;
                    /** @description Drops the rows in which one of the named checks finds something. Dropped rows are not billed. */
                    lint?: {
                        /** @description Checks; a row in which one of them finds something is dropped. */
                        drop: ("completion_empty" | "completion_degenerate" | "contaminated" | "arithmetic_wrong" | "code_unparsable" | "answer_invalid" | "personal_data")[];
                        /** @description Texts of benchmarks, 1 to 10,000 of up to 20,000 characters each. Rows must not share 13 words in a row with them. */
                        benchmarks?: string[];
                        /** @description JSON Schema that every completion has to satisfy. */
                        answer_schema?: {
                            [key: string]: unknown;
                        };
                    };
                    /** @description Whether the columns `chosen` and `rejected` are written. Default: false. */
                    preference_pairs?: boolean;
                    /** @description Whether each enhanced prompt begins with a block of what is known of its row. Default: false. */
                    prompt_metadata_injection?: boolean;
                };
            };
            /** @description How many rows to process, how, and the idempotency key. */
            job_specification?: {
                /** @description The most rows to process, at least 1. A random sample is taken, or the first rows when images are mapped. If it exceeds the rows of the dataset, all rows are processed. It is how a run is limited in credits: ask for the price with `estimate` first. */
                max_rows?: number;
                /**
                 * @description Key of 1 to 255 characters. A repeated request with the same key and body returns the first response and starts nothing.
                 * @example nightly-2026-11-22
                 */
                idempotency_key?: string;
                /**
                 * @description `batch` makes the model calls in batch jobs of the provider: half the credits (but for rows of `language_expansion`), and a run takes hours, at most two days and the time of a `standard` run. Calls that a batch job does not answer are made singly, at no further cost. Default: `standard`.
                 * @enum {string}
                 */
                processing?: "standard" | "batch";
            };
            /** @description Controls for the wording of generated text. */
            brand_controls?: {
                /**
                 * @description Length of answers in words: `minimal` 3 to 25, `concise` 26 to 70, `detailed` 71 to 180, `extensive` 181 to 450.
                 * @example concise
                 * @enum {string}
                 */
                length?: "minimal" | "concise" | "detailed" | "extensive";
                /** @description Any non-empty list scores every row in all five categories, in the columns `prompt_safety_issues` and `response_safety_issues`. A text that was not scored has null scores and the reason in `not_scored`. Rows are annotated, never removed; `/run` besides drops rows whose completion violates a named category or was not scored, and empties generated completions that do or were not. */
                safety_categories?: ("violence" | "self_harm" | "harassment" | "hate" | "sexual")[];
                /** @description Whether answers are grounded in a web search. Default: false. */
                hallucination_mitigation?: boolean;
                /** @description System prompt for every generated completion, 1 to 20,000 characters. */
                blueprint?: string;
            };
            /**
             * @description `instruction_dataset` (default) writes prompts and completions; `preference_pairs` also writes the columns `chosen` and `rejected`.
             * @enum {string}
             */
            training_type?: "instruction_dataset" | "preference_pairs";
            /**
             * @description If true, validates the request and returns its price; no run starts and no credits are reserved. Default: false.
             * @example true
             */
            estimate?: boolean;
            /** @description If false, every row is adapted anew. Otherwise rows that an earlier run adapted with the same settings are reused: no model is asked about them, and they cost nothing again. Web-grounded answers are never reused. Default: true. */
            reuse?: boolean;
            /** @description Adds rows in other languages. Warning: if omitted, the previous expansion of the dataset runs again and is billed; pass `null` to remove it. */
            language_expansion?: components["schemas"]["LanguageExpansion"] | null;
        };
        TranslateRequest: {
            /** @description Target languages, 1 to 50 different ones: ISO 639-1 codes, three-letter codes where no two-letter code exists, `zh-Hans` or `zh-Hant` for Chinese. Case-insensitive. */
            languages: string[];
            /**
             * @description Share of the rows that is expanded for each target
             * @example 0.5
             */
            sample_rate: number;
            /**
             * @description If true, validates the request and returns its price; nothing is created and no credits are reserved. Default: false.
             * @example true
             */
            estimate?: boolean;
            /**
             * @description Key of 1 to 255 characters. A repeated request with the same key returns the first dataset with zero credits.
             * @example nightly-2026-11-22
             */
            idempotency_key?: string;
        };
        VerdictsRequest: {
            /** @description The verdicts, 1 to 1,000, each of another row. Send more in further requests. */
            verdicts: components["schemas"]["GivenVerdict"][];
            /**
             * @description Who says so, 1 to 100 characters: each reviewer has one verdict about a row. Default: the id of the API key.
             * @example ada
             */
            reviewer?: string;
        };
        GivenVerdict: {
            /**
             * @description Number of the row, from 0.
             * @example 17
             */
            row: number;
            /**
             * @description The `content_hash` of the row as its reviewer saw it. May be left out with `none` alone.
             * @example 5f2b6c1d9a3e4f708192a3b4c5d6e7f8
             */
            content_hash?: string;
            /**
             * @description `right` and `wrong` say what the answer is. `mended` gives its right text. `none` takes the own verdict back.
             * @example mended
             * @enum {string}
             */
            verdict: "right" | "wrong" | "mended" | "none";
            /**
             * @description The right text, with `mended` alone: 1 to 100,000 characters that differ from what the row has.
             * @example Open Settings, then Security, and choose "Reset password".
             */
            completion?: string;
            /**
             * @description The `drawn_as` of the row as GET /review has shown it. Only rows that were drawn at random tell of others in the `grade`. Default: the reviewer chose the row.
             * @example doubtful
             * @enum {string}
             */
            drawn_as?: "doubtful" | "audit";
        };
        ApplyRequest: {
            /**
             * @description What becomes of rows that are wrong and not mended. Default: `keep`.
             * @example drop
             * @enum {string}
             */
            wrong?: "keep" | "drop";
            /**
             * @description Key of 1 to 255 characters. A repeated request with the same key starts nothing, and gets the first answer.
             * @example nightly-2026-11-22
             */
            idempotency_key?: string;
        };
        CreateEvalRequest: {
            /**
             * @description Name of the eval, up to 200 characters.
             * @example Capitals
             */
            name?: string;
            /**
             * @description Up to 16 texts by name; names up to 64, values up to 512 characters.
             * @example {
             *       "team": "support"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description What the rows of its runs are. */
            data_source_config: {
                /**
                 * @description Kind of the source: rows of any form.
                 * @constant
                 */
                type: "custom";
                /**
                 * @description JSON Schema of a row. It is shown again; rows are not held against it.
                 * @example {
                 *       "type": "object"
                 *     }
                 */
                item_schema: {
                    [key: string]: unknown;
                };
                /** @description Whether the schema that is shown has the answer too. */
                include_sample_schema?: boolean;
            } | {
                /**
                 * @description Kind of the source: stored responses of the team.
                 * @enum {string}
                 */
                type: "logs" | "stored_completions";
                /** @description Metadata that responses need to have. */
                metadata?: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description Graders, 1 to 20. A row passes if it passes with each of them. */
            testing_criteria: ({
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "string_check";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Template of the text, up to 100,000 characters.
                 * @example {{ sample.output_text }}
                 */
                input: string;
                /**
                 * @description Template of what it is compared with, up to 100,000 characters.
                 * @example {{ item.answer }}
                 */
                reference: string;
                /**
                 * @description Equal, not equal, contains, or contains with letters of any case.
                 * @enum {string}
                 */
                operation: "eq" | "ne" | "like" | "ilike";
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "text_similarity";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Template of the text, up to 100,000 characters.
                 * @example {{ sample.output_text }}
                 */
                input: string;
                /**
                 * @description Template of the reference, up to 100,000 characters.
                 * @example {{ item.answer }}
                 */
                reference: string;
                /**
                 * @description How likeness is measured. `cosine` is not offered.
                 * @enum {string}
                 */
                evaluation_metric: "fuzzy_match" | "bleu" | "gleu" | "meteor" | "rouge_1" | "rouge_2" | "rouge_3" | "rouge_4" | "rouge_5" | "rouge_l";
                /** @description Score from which a row passes. Default: 0.5. */
                pass_threshold?: number;
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "label_model";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Id of a model of `GET /api/v1/models`, or name of a fine-tuned one.
                 * @example qwen3-4b
                 */
                model: string;
                /** @description What the model is asked: 1 to 50 messages with templates. */
                input: {
                    /**
                     * @description Who says it.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant";
                    /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                    content: string | {
                        /**
                         * @description Kind of the part: a text.
                         * @enum {string}
                         */
                        type: "input_text" | "output_text";
                        /**
                         * @description The text, a template of up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        text: string;
                    } | {
                        /**
                         * @description Kind of the part: a text.
                         * @enum {string}
                         */
                        type: "input_text" | "output_text";
                        /**
                         * @description The text, a template of up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        text: string;
                    }[];
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type?: "message";
                }[];
                /** @description The labels, 1 to 100 of up to 200 characters. */
                labels: string[];
                /** @description Labels with which a row passes, 1 to 100 of them. */
                passing_labels: string[];
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "score_model";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Id of a model of `GET /api/v1/models`, or name of a fine-tuned one.
                 * @example qwen3-4b
                 */
                model: string;
                /** @description What the model is asked: 1 to 50 messages with templates. */
                input: {
                    /**
                     * @description Who says it.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant";
                    /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                    content: string | {
                        /**
                         * @description Kind of the part: a text.
                         * @enum {string}
                         */
                        type: "input_text" | "output_text";
                        /**
                         * @description The text, a template of up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        text: string;
                    } | {
                        /**
                         * @description Kind of the part: a text.
                         * @enum {string}
                         */
                        type: "input_text" | "output_text";
                        /**
                         * @description The text, a template of up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        text: string;
                    }[];
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type?: "message";
                }[];
                /** @description Lowest and highest score. Default: 0 and 1. */
                range?: number[];
                /** @description Score from which a row passes. Default: the middle of the range. */
                pass_threshold?: number | null;
                /** @description How the model answers. */
                sampling_params?: {
                    /** @description Sampling temperature, 0 to 2. */
                    temperature?: number | null;
                    /** @description Nucleus sampling, above 0 and at most 1. */
                    top_p?: number | null;
                    /** @description The most tokens, 1 to 1,000,000. */
                    max_completions_tokens?: number | null;
                    /** @description How much the model reasons. */
                    reasoning_effort?: string | null;
                    /** @description Accepted: models answer without one, so that runs differ. */
                    seed?: number | null;
                } | null;
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "python";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Code with `grade(sample, item)`, which returns a number; up to 100,000 characters.
                 * @example def grade(sample, item):
                 *         return 1.0
                 */
                source: string;
                /** @description Accepted and not read: there is one image. */
                image_tag?: string;
                /** @description Score from which a row passes. Default: 0.5. */
                pass_threshold?: number | null;
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "multi";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Graders by the names that the formula has, up to 20.
                 * @example {
                 *       "exact": {
                 *         "type": "string_check",
                 *         "name": "exact",
                 *         "input": "{{ sample.output_text }}",
                 *         "reference": "{{ item.answer }}",
                 *         "operation": "eq"
                 *       }
                 *     }
                 */
                graders: {
                    [key: string]: {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "string_check";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Template of the text, up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        input: string;
                        /**
                         * @description Template of what it is compared with, up to 100,000 characters.
                         * @example {{ item.answer }}
                         */
                        reference: string;
                        /**
                         * @description Equal, not equal, contains, or contains with letters of any case.
                         * @enum {string}
                         */
                        operation: "eq" | "ne" | "like" | "ilike";
                    } | {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "text_similarity";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Template of the text, up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        input: string;
                        /**
                         * @description Template of the reference, up to 100,000 characters.
                         * @example {{ item.answer }}
                         */
                        reference: string;
                        /**
                         * @description How likeness is measured. `cosine` is not offered.
                         * @enum {string}
                         */
                        evaluation_metric: "fuzzy_match" | "bleu" | "gleu" | "meteor" | "rouge_1" | "rouge_2" | "rouge_3" | "rouge_4" | "rouge_5" | "rouge_l";
                        /** @description Score from which a row passes. Default: 0.5. */
                        pass_threshold?: number;
                    } | {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "label_model";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Id of a model of `GET /api/v1/models`, or name of a fine-tuned one.
                         * @example qwen3-4b
                         */
                        model: string;
                        /** @description What the model is asked: 1 to 50 messages with templates. */
                        input: {
                            /**
                             * @description Who says it.
                             * @enum {string}
                             */
                            role: "system" | "developer" | "user" | "assistant";
                            /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                            content: string | {
                                /**
                                 * @description Kind of the part: a text.
                                 * @enum {string}
                                 */
                                type: "input_text" | "output_text";
                                /**
                                 * @description The text, a template of up to 100,000 characters.
                                 * @example {{ sample.output_text }}
                                 */
                                text: string;
                            } | {
                                /**
                                 * @description Kind of the part: a text.
                                 * @enum {string}
                                 */
                                type: "input_text" | "output_text";
                                /**
                                 * @description The text, a template of up to 100,000 characters.
                                 * @example {{ sample.output_text }}
                                 */
                                text: string;
                            }[];
                            /**
                             * @description Kind of the object.
                             * @constant
                             */
                            type?: "message";
                        }[];
                        /** @description The labels, 1 to 100 of up to 200 characters. */
                        labels: string[];
                        /** @description Labels with which a row passes, 1 to 100 of them. */
                        passing_labels: string[];
                    } | {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "score_model";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Id of a model of `GET /api/v1/models`, or name of a fine-tuned one.
                         * @example qwen3-4b
                         */
                        model: string;
                        /** @description What the model is asked: 1 to 50 messages with templates. */
                        input: {
                            /**
                             * @description Who says it.
                             * @enum {string}
                             */
                            role: "system" | "developer" | "user" | "assistant";
                            /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                            content: string | {
                                /**
                                 * @description Kind of the part: a text.
                                 * @enum {string}
                                 */
                                type: "input_text" | "output_text";
                                /**
                                 * @description The text, a template of up to 100,000 characters.
                                 * @example {{ sample.output_text }}
                                 */
                                text: string;
                            } | {
                                /**
                                 * @description Kind of the part: a text.
                                 * @enum {string}
                                 */
                                type: "input_text" | "output_text";
                                /**
                                 * @description The text, a template of up to 100,000 characters.
                                 * @example {{ sample.output_text }}
                                 */
                                text: string;
                            }[];
                            /**
                             * @description Kind of the object.
                             * @constant
                             */
                            type?: "message";
                        }[];
                        /** @description Lowest and highest score. Default: 0 and 1. */
                        range?: number[];
                        /** @description Score from which a row passes. Default: the middle of the range. */
                        pass_threshold?: number | null;
                        /** @description How the model answers. */
                        sampling_params?: {
                            /** @description Sampling temperature, 0 to 2. */
                            temperature?: number | null;
                            /** @description Nucleus sampling, above 0 and at most 1. */
                            top_p?: number | null;
                            /** @description The most tokens, 1 to 1,000,000. */
                            max_completions_tokens?: number | null;
                            /** @description How much the model reasons. */
                            reasoning_effort?: string | null;
                            /** @description Accepted: models answer without one, so that runs differ. */
                            seed?: number | null;
                        } | null;
                    } | {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "python";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Code with `grade(sample, item)`, which returns a number; up to 100,000 characters.
                         * @example def grade(sample, item):
                         *         return 1.0
                         */
                        source: string;
                        /** @description Accepted and not read: there is one image. */
                        image_tag?: string;
                        /** @description Score from which a row passes. Default: 0.5. */
                        pass_threshold?: number | null;
                    };
                };
                /**
                 * @description Formula of their scores, up to 2,000 characters.
                 * @example 0.5 * exact + 0.5
                 */
                calculate_output: string;
                /** @description Score from which a row passes. Default: 0.5. */
                pass_threshold?: number | null;
            })[];
        };
        UpdateEvalRequest: {
            /**
             * @description New name, up to 200 characters.
             * @example Capitals
             */
            name?: string;
            /**
             * @description Up to 16 texts by name; names up to 64, values up to 512 characters.
             * @example {
             *       "team": "support"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        CreateEvalRunRequest: {
            /**
             * @description Name of the run, up to 200 characters.
             * @example Nightly
             */
            name?: string;
            /**
             * @description Up to 16 texts by name; names up to 64, values up to 512 characters.
             * @example {
             *       "team": "support"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The rows, and what answers them. */
            data_source: {
                /**
                 * @description Rows that have their answers, or need none.
                 * @constant
                 */
                type: "jsonl";
                /** @description Where the rows are. */
                source: {
                    /**
                     * @description Kind of the source: rows of the request.
                     * @constant
                     */
                    type: "file_content";
                    /** @description Rows, 1 to 10,000. */
                    content: {
                        /**
                         * @description The row.
                         * @example {
                         *       "question": "Capital of France?",
                         *       "answer": "Paris"
                         *     }
                         */
                        item: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description An answer to it, whose `output_text` graders see.
                         * @example {
                         *       "output_text": "Paris"
                         *     }
                         */
                        sample?: {
                            [key: string]: unknown;
                        } | null;
                    }[];
                } | {
                    /**
                     * @description Kind of the source: a file.
                     * @constant
                     */
                    type: "file_id";
                    /**
                     * @description Id of a file, or of a dataset. Lines are `{"item": …, "sample": …}`, or rows themselves.
                     * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
                     */
                    id: string;
                };
            } | {
                /**
                 * @description Rows that a model answers.
                 * @constant
                 */
                type: "completions";
                /** @description Where the rows are. */
                source: {
                    /**
                     * @description Kind of the source: rows of the request.
                     * @constant
                     */
                    type: "file_content";
                    /** @description Rows, 1 to 10,000. */
                    content: {
                        /**
                         * @description The row.
                         * @example {
                         *       "question": "Capital of France?",
                         *       "answer": "Paris"
                         *     }
                         */
                        item: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description An answer to it, whose `output_text` graders see.
                         * @example {
                         *       "output_text": "Paris"
                         *     }
                         */
                        sample?: {
                            [key: string]: unknown;
                        } | null;
                    }[];
                } | {
                    /**
                     * @description Kind of the source: a file.
                     * @constant
                     */
                    type: "file_id";
                    /**
                     * @description Id of a file, or of a dataset. Lines are `{"item": …, "sample": …}`, or rows themselves.
                     * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
                     */
                    id: string;
                };
                /**
                 * @description Model that answers.
                 * @example qwen3-4b
                 */
                model: string;
                /** @description What the model is asked. */
                input_messages: {
                    /**
                     * @description Kind of the input: messages with templates.
                     * @constant
                     */
                    type: "template";
                    /** @description Messages, 1 to 50. */
                    template: {
                        /**
                         * @description Who says it.
                         * @enum {string}
                         */
                        role: "system" | "developer" | "user" | "assistant";
                        /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                        content: string | {
                            /**
                             * @description Kind of the part: a text.
                             * @enum {string}
                             */
                            type: "input_text" | "output_text";
                            /**
                             * @description The text, a template of up to 100,000 characters.
                             * @example {{ sample.output_text }}
                             */
                            text: string;
                        } | {
                            /**
                             * @description Kind of the part: a text.
                             * @enum {string}
                             */
                            type: "input_text" | "output_text";
                            /**
                             * @description The text, a template of up to 100,000 characters.
                             * @example {{ sample.output_text }}
                             */
                            text: string;
                        }[];
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        type?: "message";
                    }[];
                } | {
                    /**
                     * @description Kind of the input: messages of the row.
                     * @constant
                     */
                    type: "item_reference";
                    /** @description Path of the messages, such as `item.input`, up to 200 characters. */
                    item_reference: string;
                };
                /** @description How the model answers. */
                sampling_params?: {
                    /** @description Sampling temperature, 0 to 2. */
                    temperature?: number | null;
                    /** @description Nucleus sampling, above 0 and at most 1. */
                    top_p?: number | null;
                    /** @description The most tokens of an answer. */
                    max_completion_tokens?: number | null;
                    /** @description The same. */
                    max_completions_tokens?: number | null;
                    /** @description How much the model reasons. */
                    reasoning_effort?: string | null;
                    /** @description Shown again. Models answer without one, so that runs differ. */
                    seed?: number | null;
                    /** @description Functions that the model may call, up to 128. */
                    tools?: {
                        [key: string]: unknown;
                    }[] | null;
                    /** @description Form of the answer, as for chat completions. */
                    response_format?: {
                        [key: string]: unknown;
                    } | null;
                } | null;
            } | {
                /**
                 * @description Rows that a model answers, or responses that are stored.
                 * @constant
                 */
                type: "responses";
                /** @description Where the rows are. */
                source: {
                    /**
                     * @description Kind of the source: rows of the request.
                     * @constant
                     */
                    type: "file_content";
                    /** @description Rows, 1 to 10,000. */
                    content: {
                        /**
                         * @description The row.
                         * @example {
                         *       "question": "Capital of France?",
                         *       "answer": "Paris"
                         *     }
                         */
                        item: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description An answer to it, whose `output_text` graders see.
                         * @example {
                         *       "output_text": "Paris"
                         *     }
                         */
                        sample?: {
                            [key: string]: unknown;
                        } | null;
                    }[];
                } | {
                    /**
                     * @description Kind of the source: a file.
                     * @constant
                     */
                    type: "file_id";
                    /**
                     * @description Id of a file, or of a dataset. Lines are `{"item": …, "sample": …}`, or rows themselves.
                     * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
                     */
                    id: string;
                } | {
                    /**
                     * @description Kind of the source: stored responses of the team.
                     * @constant
                     */
                    type: "responses";
                    /** @description Only later ones, in seconds since 1970. */
                    created_after?: number | null;
                    /** @description Only earlier ones, in seconds since 1970. */
                    created_before?: number | null;
                    /** @description Only those of this model. */
                    model?: string | null;
                    /** @description Only those with these entries of metadata. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
                /** @description Model that answers. Without one, stored responses are graded as they are. */
                model?: string | null;
                /** @description What the model is asked. Default: `item.input`. */
                input_messages?: ({
                    /**
                     * @description Kind of the input: messages with templates.
                     * @constant
                     */
                    type: "template";
                    /** @description Messages, 1 to 50. */
                    template: {
                        /**
                         * @description Who says it.
                         * @enum {string}
                         */
                        role: "system" | "developer" | "user" | "assistant";
                        /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                        content: string | {
                            /**
                             * @description Kind of the part: a text.
                             * @enum {string}
                             */
                            type: "input_text" | "output_text";
                            /**
                             * @description The text, a template of up to 100,000 characters.
                             * @example {{ sample.output_text }}
                             */
                            text: string;
                        } | {
                            /**
                             * @description Kind of the part: a text.
                             * @enum {string}
                             */
                            type: "input_text" | "output_text";
                            /**
                             * @description The text, a template of up to 100,000 characters.
                             * @example {{ sample.output_text }}
                             */
                            text: string;
                        }[];
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        type?: "message";
                    }[];
                } | {
                    /**
                     * @description Kind of the input: messages of the row.
                     * @constant
                     */
                    type: "item_reference";
                    /** @description Path of the messages, such as `item.input`, up to 200 characters. */
                    item_reference: string;
                }) | null;
                /** @description How the model answers. */
                sampling_params?: {
                    /** @description Sampling temperature, 0 to 2. */
                    temperature?: number | null;
                    /** @description Nucleus sampling, above 0 and at most 1. */
                    top_p?: number | null;
                    /** @description The most tokens of an answer. */
                    max_completion_tokens?: number | null;
                    /** @description The same. */
                    max_completions_tokens?: number | null;
                    /** @description How much the model reasons. */
                    reasoning_effort?: string | null;
                    /** @description Shown again. Models answer without one, so that runs differ. */
                    seed?: number | null;
                    /** @description Functions that the model may call, up to 128. */
                    tools?: {
                        [key: string]: unknown;
                    }[] | null;
                    /** @description Form of the answer. */
                    text?: {
                        /** @description Form of the answer, as for responses. */
                        format?: {
                            [key: string]: unknown;
                        };
                    } | null;
                } | null;
            };
        };
        CreateFineTuningJobRequest: {
            /**
             * @description Id of a model that can be trained: `GET /api/v1/autoscientist/models`.
             * @example Qwen/Qwen3.5-0.8B
             */
            model: string;
            /**
             * @description Id of an uploaded file, or of a dataset, up to 200 characters.
             * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
             */
            training_file: string;
            /** @description Id of a file whose rows the models are compared on, up to 200 characters. Without one a tenth of the training rows is held out. */
            validation_file?: string | null;
            /** @description What is optimized. Default: `supervised`. */
            method?: {
                /**
                 * @description `supervised` trains on answers, `dpo` on pairs of a better and a worse one.
                 * @enum {string}
                 */
                type: "supervised" | "dpo";
                /** @description Settings of `supervised`. */
                supervised?: {
                    /** @description Hyperparameters. */
                    hyperparameters?: {
                        /**
                         * @description Passes over the training rows, 1 to 20, or `auto`.
                         * @example 3
                         */
                        n_epochs?: "auto" | number;
                        /** @description Rows per optimizer step, from 1, or `auto`. */
                        batch_size?: "auto" | number;
                        /** @description Factor of the learning rate that is recommended for the model, above 0 and at most 100, or `auto`. */
                        learning_rate_multiplier?: "auto" | number;
                    };
                };
                /** @description Settings of `dpo`. */
                dpo?: {
                    /** @description Hyperparameters. */
                    hyperparameters?: {
                        /**
                         * @description Passes over the training rows, 1 to 20, or `auto`.
                         * @example 3
                         */
                        n_epochs?: "auto" | number;
                        /** @description Rows per optimizer step, from 1, or `auto`. */
                        batch_size?: "auto" | number;
                        /** @description Factor of the learning rate that is recommended for the model, above 0 and at most 100, or `auto`. */
                        learning_rate_multiplier?: "auto" | number;
                        /** @description Strength of the reference, 0.05 to 0.9, or `auto`. */
                        beta?: "auto" | number;
                    };
                };
            };
            /** @description Hyperparameters, in the older form; those of `method` come first. */
            hyperparameters?: {
                /**
                 * @description Passes over the training rows, 1 to 20, or `auto`.
                 * @example 3
                 */
                n_epochs?: "auto" | number;
                /** @description Rows per optimizer step, from 1, or `auto`. */
                batch_size?: "auto" | number;
                /** @description Factor of the learning rate that is recommended for the model, above 0 and at most 100, or `auto`. */
                learning_rate_multiplier?: "auto" | number;
            };
            /**
             * @description Part of the name of the model, up to 64 letters, digits, `.`, `_` and `-`.
             * @example support
             */
            suffix?: string | null;
            /** @description Seed of the training, 0 to 2,147,483,647. */
            seed?: number | null;
            /**
             * @description Up to 16 texts by name; names up to 64, values up to 512 characters.
             * @example {
             *       "team": "support"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * @description Only null or an empty list.
             * @example []
             */
            integrations?: unknown[] | null;
        };
        CreateResponseRequest: {
            /**
             * @description Id of a hosted model, of a training of the team, or `stack:<slug>`
             * @example stack:support
             */
            model: string;
            /**
             * @description The prompt as text, or up to 10,000 items: messages, and items of earlier responses. Optional with `previous_response_id`.
             * @example How do I reset my password?
             */
            input?: string | ((({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type?: "message";
                /** @description Id of the item, up to 256 characters; optional when it is replayed. */
                id?: string | null;
                /**
                 * @description Who speaks.
                 * @enum {string}
                 */
                role: "user" | "assistant" | "system" | "developer";
                /** @description What the provider says of the message, up to 64 characters. */
                phase?: string | null;
                /** @description Text of the message, or its parts. */
                content: string | (({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "input_text";
                    /** @description Text, up to 4,000,000 characters. */
                    text: string;
                    /** @description Not supported; omit it. */
                    prompt_cache_breakpoint?: null;
                } & {
                    [key: string]: unknown;
                }) | ({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "output_text";
                    /** @description Text of an earlier answer, up to 4,000,000 characters. */
                    text: string;
                    /** @description Citations of the text. */
                    annotations?: ({
                        /** @description Kind of the citation. */
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[] | null;
                } & {
                    [key: string]: unknown;
                }) | ({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "refusal";
                    /** @description Text of a refusal, up to 4,000,000 characters. */
                    refusal: string;
                } & {
                    [key: string]: unknown;
                }) | ({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "input_image";
                    /** @description Image as a `data:` URL or an http(s) URL. */
                    image_url: string;
                    /** @description Resolution at which the model reads the image. */
                    detail?: ("auto" | "low" | "high" | "original") | null;
                    /** @description Not supported; send `image_url`. */
                    file_id?: null;
                    /** @description Not supported; omit it. */
                    prompt_cache_breakpoint?: null;
                } & {
                    [key: string]: unknown;
                }))[];
            } & {
                [key: string]: unknown;
            }) | (({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "function_call";
                /** @description Id of the item, up to 256 characters; optional when it is replayed. */
                id?: string | null;
                /** @description Id that connects a call with its output, up to 256 characters. */
                call_id: string;
                /** @description Name of the function, up to 128 characters. */
                name: string;
                /** @description Arguments as JSON text. */
                arguments: string;
            } & {
                [key: string]: unknown;
            }) | ({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "function_call_output";
                /** @description Id of the item, up to 256 characters; optional when it is replayed. */
                id?: string | null;
                /** @description Id that connects a call with its output, up to 256 characters. */
                call_id: string;
                /** @description Result of the function: text, or parts. */
                output: string | (({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "input_text";
                    /** @description Text, up to 4,000,000 characters. */
                    text: string;
                    /** @description Not supported; omit it. */
                    prompt_cache_breakpoint?: null;
                } & {
                    [key: string]: unknown;
                }) | ({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "output_text";
                    /** @description Text of an earlier answer, up to 4,000,000 characters. */
                    text: string;
                    /** @description Citations of the text. */
                    annotations?: ({
                        /** @description Kind of the citation. */
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[] | null;
                } & {
                    [key: string]: unknown;
                }) | ({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "refusal";
                    /** @description Text of a refusal, up to 4,000,000 characters. */
                    refusal: string;
                } & {
                    [key: string]: unknown;
                }) | ({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "input_image";
                    /** @description Image as a `data:` URL or an http(s) URL. */
                    image_url: string;
                    /** @description Resolution at which the model reads the image. */
                    detail?: ("auto" | "low" | "high" | "original") | null;
                    /** @description Not supported; send `image_url`. */
                    file_id?: null;
                    /** @description Not supported; omit it. */
                    prompt_cache_breakpoint?: null;
                } & {
                    [key: string]: unknown;
                }))[];
            } & {
                [key: string]: unknown;
            }) | ({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "reasoning";
                /** @description Id of the item, up to 256 characters; optional when it is replayed. */
                id?: string | null;
                /**
                 * @description Summaries of the reasoning.
                 * @default []
                 */
                summary: ({
                    /** @description Text of the summary. */
                    text: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description The reasoning itself. */
                content?: ({
                    /** @description Text of the reasoning. */
                    text: string;
                } & {
                    [key: string]: unknown;
                })[] | null;
                /** @description Reasoning in encrypted form. */
                encrypted_content?: string | null;
            } & {
                [key: string]: unknown;
            }) | ({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "mcp_list_tools";
                /** @description Id of the item, up to 256 characters; optional when it is replayed. */
                id?: string | null;
                /** @description Label of the tool server. */
                server_label: string;
                /** @description Tools that the server listed. */
                tools: ({
                    /** @description Name of the tool. */
                    name: string;
                    /** @description What the tool does; null when the server does not say. */
                    description?: string | null;
                    /** @description JSON Schema of the arguments. */
                    input_schema: {
                        [key: string]: unknown;
                    };
                    /** @description Hints of the server about the tool, such as `readOnlyHint`; null when there are none. */
                    annotations?: {
                        [key: string]: unknown;
                    } | null;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description Why the tools could not be listed. */
                error?: unknown;
            } & {
                [key: string]: unknown;
            }) | ({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "mcp_call";
                /** @description Id of the item, up to 256 characters; optional when it is replayed. */
                id?: string | null;
                /** @description Label of the tool server. */
                server_label: string;
                /** @description Name of the tool. */
                name: string;
                /** @description Arguments as JSON text. */
                arguments: string;
                /** @description Id of the approval request. */
                approval_request_id?: string | null;
                /** @description Result of the call. */
                output?: string | null;
                /** @description Why the call failed. */
                error?: string | null;
            } & {
                [key: string]: unknown;
            }) | ({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "mcp_approval_request";
                /** @description Id of the item, up to 256 characters. */
                id: string;
                /** @description Label of the tool server. */
                server_label: string;
                /** @description Name of the tool. */
                name: string;
                /** @description Arguments as JSON text. */
                arguments: string;
            } & {
                [key: string]: unknown;
            }) | ({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "mcp_approval_response";
                /** @description Id of the item, up to 256 characters; optional when it is replayed. */
                id?: string | null;
                /** @description Id of the approval request. */
                approval_request_id: string;
                /** @description Whether the call may be made. */
                approve: boolean;
                /** @description Reason of the decision. */
                reason?: string | null;
            } & {
                [key: string]: unknown;
            }) | ({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "file_search_call";
                /** @description Id of the item, up to 256 characters; optional when it is replayed. */
                id?: string | null;
                /**
                 * @description Queries of the search.
                 * @default []
                 */
                queries: string[];
                /** @description Rows that were found. */
                results?: ({
                    /** @description Text of the row. */
                    text?: string;
                    /** @description Name of the dataset. */
                    filename?: string | null;
                    /** @description Where the row is. */
                    attributes?: {
                        [key: string]: unknown;
                    } | null;
                } & {
                    [key: string]: unknown;
                })[] | null;
            } & {
                [key: string]: unknown;
            })) | ({
                /** @description Kind of the object. */
                type: string;
            } & {
                [key: string]: unknown;
            })) | {
                /** @description Kind of the object. */
                type?: "item_reference" | null;
                /** @description Id of the item, up to 256 characters. */
                id: string;
            })[];
            /**
             * @description System message, up to 4,000,000 characters.
             * @example Answer in one sentence.
             */
            instructions?: string | null;
            /**
             * @description The most tokens of the answer, 1 to 1,000,000.
             * @example 200
             */
            max_output_tokens?: number | null;
            /** @description Sampling temperature, 0 to 2. */
            temperature?: number | null;
            /** @description Nucleus sampling: share of the probability mass, above 0 and at most 1. */
            top_p?: number | null;
            /** @description If true, the response is a stream of server-sent events; otherwise one object. Default: false. */
            stream?: boolean | null;
            /** @description Options of the stream. */
            stream_options?: {
                /** @description Only false is accepted. */
                include_obfuscation?: false | null;
            } | null;
            /** @description Tools that the model may use, up to 128: functions, tool servers (`mcp`), dataset search (`file_search`), and tools of the provider. */
            tools?: ((({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "function";
                /** @description Name of the function: 1 to 64 letters, digits, `_` and `-`. */
                name: string;
                /** @description What the function does. */
                description?: string | null;
                /** @description JSON Schema of the arguments. */
                parameters?: {
                    [key: string]: unknown;
                } | null;
                /** @description Whether arguments have to satisfy the schema. */
                strict?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "mcp";
                /** @description Names the server in its calls; of a hosted server its id from GET /tools */
                server_label: string;
                /**
                 * Format: uri
                 * @description Public HTTPS address of a server of the caller’s own
                 */
                server_url?: string;
                /** @description Value of the Authorization header; of a hosted server the credential that takes the place of the stored one. Never stored, logged or answered. */
                authorization?: string | null;
                /** @description What the server offers, up to 4,096 characters. */
                server_description?: string | null;
                /** @description Tools that may be called: names, or a filter. Default: all. */
                allowed_tools?: (string[] | {
                    /** @description Names of tools. */
                    tool_names?: string[];
                    /** @description Whether to select the tools that the server calls read-only. */
                    read_only?: boolean;
                }) | null;
                /** @description Which calls need an approval before they are made. Default: that of the server. */
                require_approval?: (("always" | "never") | {
                    /** @description Tools whose calls need an approval. */
                    always?: {
                        /** @description Names of tools. */
                        tool_names?: string[];
                        /** @description Whether to select the tools that the server calls read-only. */
                        read_only?: boolean;
                    };
                    /** @description Tools whose calls need none. */
                    never?: {
                        /** @description Names of tools. */
                        tool_names?: string[];
                        /** @description Whether to select the tools that the server calls read-only. */
                        read_only?: boolean;
                    };
                }) | null;
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "file_search";
                /** @description Adapted datasets; with a stack as the model, those of the stack where it is left out */
                dataset_ids?: string[];
                /** @description The name that OpenAI’s clients have for dataset_ids */
                vector_store_ids?: string[];
                /** @description The most rows that one search returns, 1 to 50. Default: 8. */
                max_num_results?: number;
            }) | ({
                /** @description Kind of the object. */
                type: string;
            } & {
                [key: string]: unknown;
            }))[] | null;
            /** @description The most calls of tools, 0 to 1,000. Afterwards the model answers without them. */
            max_tool_calls?: number | null;
            /** @description `auto` (default), `none`, `required`, or the tool that has to be called. */
            tool_choice?: (("auto" | "none" | "required") | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "function";
                /** @description Name of the tool that has to be called. */
                name: string;
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "file_search";
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "mcp";
                /** @description Label of the tool server. */
                server_label: string;
                /** @description Name of the tool that has to be called. */
                name?: string | null;
            }) | null;
            /** @description Whether the model may call several tools at once. */
            parallel_tool_calls?: boolean | null;
            /**
             * @description Keeps the response for 30 days; false where left out
             * @example true
             */
            store?: boolean | null;
            /** @description Id of a stored response, up to 128 characters; its input and output precede this turn. */
            previous_response_id?: string | null;
            /** @description Only false is accepted. */
            background?: false | null;
            /** @description Up to 16 texts by name, returned with the response; names up to 64, values up to 512 characters. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Form of the answer. */
            text?: {
                /** @description Plain text (default), JSON, or JSON of a schema. */
                format?: {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "text";
                } | {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "json_object";
                } | {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "json_schema";
                    /**
                     * @description Name of the schema, 1 to 64 characters. Default: `response`.
                     * @default response
                     */
                    name: string;
                    /** @description What the answer is for. */
                    description?: string | null;
                    /** @description JSON Schema of the answer. */
                    schema: {
                        [key: string]: unknown;
                    };
                    /** @description Whether the answer has to satisfy the schema. */
                    strict?: boolean | null;
                };
                /** @description Only `medium` is accepted. */
                verbosity?: "medium" | null;
            } | null;
            /** @description Settings of models that reason. */
            reasoning?: {
                /** @description How much the model reasons, as its provider names it. */
                effort?: string | null;
                /** @description Whether reasoning is summarised. */
                summary?: ("auto" | "concise" | "detailed") | null;
                /** @description Not supported; use `reasoning.summary`. */
                generate_summary?: null;
                /** @description Only `auto` is accepted. */
                context?: "auto" | null;
                /** @description Only `standard` is accepted. */
                mode?: "standard" | null;
            } | null;
            /** @description What the response contains in addition. */
            include?: ("file_search_call.results" | "reasoning.encrypted_content" | "web_search_call.results" | "web_search_call.action.sources" | "message.input_image.image_url" | "computer_call_output.output.image_url" | "code_interpreter_call.outputs")[] | null;
            /** @description `auto` drops the oldest items of a conversation that is too long; `disabled` (default) refuses it. */
            truncation?: ("auto" | "disabled") | null;
            /** @description Id of your user, up to 512 characters; passed to the provider. */
            user?: string | null;
            /** @description Id of your user for the provider’s safety checks, up to 512 characters. */
            safety_identifier?: string | null;
            /** @description Key of the provider’s prompt cache, up to 512 characters. */
            prompt_cache_key?: string | null;
            /** @description How long the provider keeps its prompt cache. */
            prompt_cache_retention?: ("in_memory" | "24h") | null;
            /** @description Not supported; use `prompt_cache_key`. */
            prompt_cache_options?: null;
            /** @description Only `auto` and `default` are accepted. */
            service_tier?: ("auto" | "default") | null;
            /** @description Only 0 is accepted. */
            top_logprobs?: 0 | null;
            /** @description Only 0 is accepted. */
            presence_penalty?: 0 | null;
            /** @description Only 0 is accepted. */
            frequency_penalty?: 0 | null;
            /** @description Only false is accepted. */
            agentic_memory?: false | null;
            /** @description Not supported; use `previous_response_id`. */
            conversation?: null;
            /** @description Not supported; send the text in `input`. */
            prompt?: null;
            /** @description Not supported; omit it. */
            moderation?: null;
            /** @description Not supported; use `truncation`. */
            context_management?: unknown[] | null;
        };
        CreateWebhookRequest: {
            /**
             * @description Address that events are sent to: https, public, without user, password or fragment.
             * @example https://hooks.example.com/tunesmith
             */
            url: string;
            /**
             * @description Types of events that it gets. Default: all that the key can read.
             * @example [
             *       "dataset.read"
             *     ]
             */
            event_types?: ("dataset.read" | "run.progressed" | "run.ended" | "pilot.ended" | "evaluation.ended" | "training.iteration_ended" | "training.ended" | "credits.low" | "answer.failed" | "webhook.disabled" | "webhook.test")[];
            /**
             * @description Text of your own, up to 200 characters.
             * @example Starts the nightly export
             */
            description?: string;
        };
        UpdateWebhookRequest: {
            /**
             * @description New address. Events that the key of this request cannot read are no longer sent.
             * @example https://hooks.example.com/tunesmith
             */
            url?: string;
            /** @description Types of events that it gets; null for all. */
            event_types?: ("dataset.read" | "run.progressed" | "run.ended" | "pilot.ended" | "evaluation.ended" | "training.iteration_ended" | "training.ended" | "credits.low" | "answer.failed" | "webhook.disabled" | "webhook.test")[] | null;
            /** @description Text of your own; null for none. */
            description?: string | null;
            /**
             * @description `enabled` sends events again, and the deliveries that are pending; events of the meantime are not sent.
             * @enum {string}
             */
            status?: "enabled" | "disabled";
        };
        JsonValue: unknown;
        TrainingRun: {
            /**
             * @description The `experiment_id` of paths
             * @example 8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40
             */
            id: string;
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Version of the dataset whose rows it trains on; null of a training that began before versions were numbered.
             * @example 2
             */
            dataset_version: number | null;
            /**
             * @description Id of the base model, also when it was selected by the service.
             * @example Qwen/Qwen3.5-0.8B
             */
            model: string;
            /**
             * @description Status of the training. Poll until `succeeded`, `failed` or `cancelled`.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "succeeded" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description Time of the end, ISO 8601 in UTC; null while the training is active. */
            completed_at: string | null;
            /**
             * @description Iterations that trained a model and compared it; iterations that failed are not counted.
             * @example 2
             */
            iterations_completed: number;
            /**
             * @description The most iterations.
             * @example 3
             */
            max_iterations: number;
            /**
             * @description Win rate at which the training ends, 0 to 1.
             * @example 0.7
             */
            target_win_rate: number;
            /** @description Best win rate so far, 0 to 1; null until an iteration is done. */
            best_win_rate: number | null;
            /**
             * @description `judge`: a calibrated judge compared answers of the trained and the base model. `likelihood`: the share of held-out answers that the trained model finds likelier, since no judge could be believed. Null until an iteration is done.
             * @example judge
             */
            best_win_rate_method: ("judge" | "likelihood") | null;
            /**
             * @description Method that is used; `instruction` when an `alignment` was requested and the dataset has no preference pairs.
             * @enum {string}
             */
            training_method: "instruction" | "alignment";
            /** @description Hyperparameters of the best iteration, in an `alignment` those of its second stage; null until an iteration is done. */
            best_hyperparams: components["schemas"]["Hyperparams"] | null;
            /** @description Column mapping of the request; null when it was inferred. */
            column_mapping: components["schemas"]["TrainingColumnMapping"] | null;
            /** @description Whether the trained model can be downloaded. */
            download_available: boolean;
            /** @description Why the training failed; null unless it failed. */
            error: string | null;
        };
        Hyperparams: {
            /**
             * @description `lora` trains an adapter, `full` all weights, on which the `lora_*` fields have no effect. Derived when omitted.
             * @example lora
             * @enum {string}
             */
            training_type?: "lora" | "full";
            /**
             * @description Passes over the training rows, 1 to 20.
             * @example 3
             */
            n_epochs?: number;
            /**
             * @description Peak learning rate, 1e-8 to 0.01.
             * @example 0.0001
             */
            learning_rate?: number;
            /**
             * @description Rows per optimizer step: an integer from 1, or `max` (default) for the largest that fits.
             * @example max
             */
            batch_size?: "max" | number;
            /**
             * @description Rank of the adapter, 1 to 64.
             * @example 16
             */
            lora_r?: number;
            /**
             * @description Scaling of the adapter: 1 or 2 times `lora_r`.
             * @example 32
             */
            lora_alpha?: number;
            /** @description Dropout of the adapter, 0 to 1. Default: 0. */
            lora_dropout?: number;
            /** @description `all-linear`, or names of modules separated by commas. */
            lora_trainable_modules?: string;
            /**
             * @description Course of the learning rate after the warm-up.
             * @example cosine
             * @enum {string}
             */
            lr_scheduler_type?: "linear" | "cosine" | "constant";
            /** @description Final learning rate as a share of its peak, 0 to 1. */
            min_lr_ratio?: number;
            /** @description Cycles of the cosine schedule, 0 to 4. Default: 0.5. */
            scheduler_num_cycles?: number;
            /**
             * @description Share of the steps in which the learning rate rises, 0 to 1.
             * @example 0.03
             */
            warmup_ratio?: number;
            /** @description Norm to which gradients are clipped, from 0. */
            max_grad_norm?: number;
            /** @description Weight decay, from 0. Default: 0. */
            weight_decay?: number;
            /** @description True: the loss covers prompts and completions; false: completions only. If omitted, decided per row: completions, and the whole text of a row without a prompt. */
            train_on_inputs?: boolean;
            /** @description Strength of the reference in preference training, 0.05 to 0.9. Higher stays closer to the reference. */
            dpo_beta?: number;
            /** @description Whether preference training divides log-ratios by the length of the answer. True when `simpo_gamma` is above 0. */
            dpo_normalize_logratios_by_length?: boolean;
            /** @description Weight of the likelihood loss on chosen answers, from 0. Default: 0. Excludes `simpo_gamma`. */
            rpo_alpha?: number;
            /** @description Margin of SimPO, from 0. Default: 0 (off). Excludes `rpo_alpha`. */
            simpo_gamma?: number;
        };
        TrainingColumnMapping: {
            /** @description Column with the prompts. */
            prompt?: string;
            /** @description Column with the completions to train on. */
            completion?: string;
            /** @description Column with reasoning traces; needs a model that takes them. */
            reasoning_trace?: string;
            /** @description Column with the preferred answers; needs `rejected`. */
            chosen?: string;
            /** @description Column with the dispreferred answers; needs `chosen`. */
            rejected?: string;
        };
        ComparisonSummary: {
            /**
             * @description Id of the comparison.
             * @example 2f9c4b7d-51e8-4a06-9d3c-7b8e0f1a2c65
             */
            comparison_id: string;
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Id of the adaptation whose rows are compared with the originals.
             * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93
             */
            run_id: string;
            /**
             * @description Id of the base model.
             * @example Qwen/Qwen3.5-0.8B
             */
            model: string;
            /**
             * @description Method that is used.
             * @enum {string}
             */
            training_method: "instruction" | "alignment";
            /** @description Hyperparameters of all trainings. */
            hyperparams: components["schemas"]["Hyperparams"];
            /**
             * @description Seeds.
             * @example 1
             */
            seeds: number;
            /**
             * @description Status of the comparison. Poll until `succeeded`, `failed` or `cancelled`.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Trainings that are done and compared.
             * @example 2
             */
            trainings_completed: number;
            /**
             * @description All trainings: two for each seed.
             * @example 2
             */
            trainings_total: number;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description Time of the end, ISO 8601 in UTC; null while the comparison is active. */
            completed_at: string | null;
            /** @description Why the comparison failed; null unless it failed. */
            error: string | null;
        };
        ComparisonLaunch: {
            /** @description Id of the comparison; null for an estimate. */
            comparison_id: string | null;
            /** @description True when nothing was started. */
            estimate: boolean;
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Id of the base model, also when it was selected by the service.
             * @example Qwen/Qwen3.5-0.8B
             */
            model: string;
            /**
             * @description Method that is used.
             * @enum {string}
             */
            training_method: "instruction" | "alignment";
            /** @description Hyperparameters of all trainings. */
            hyperparams: components["schemas"]["Hyperparams"];
            /**
             * @description Seeds.
             * @example 1
             */
            seeds: number;
            /**
             * @description Trainings: two for each seed.
             * @example 2
             */
            trainings: number;
            /**
             * @description Rows of the adaptation, without rows that it added in other languages.
             * @example 500
             */
            rows: number;
            /**
             * @description Rows that are held out at most: prompts that neither side is trained on.
             * @example 50
             */
            held_out_rows: number;
            /**
             * @description Credits that the comparison reserves.
             * @example 0
             */
            estimated_credits: number;
            /**
             * @description Why this model and these hyperparameters, one sentence each.
             * @example [
             *       "The model is trained on the answers (SFT)."
             *     ]
             */
            notes: string[];
        };
        Comparison: {
            /**
             * @description Id of the comparison.
             * @example 2f9c4b7d-51e8-4a06-9d3c-7b8e0f1a2c65
             */
            comparison_id: string;
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Id of the adaptation whose rows are compared with the originals.
             * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93
             */
            run_id: string;
            /**
             * @description Id of the base model.
             * @example Qwen/Qwen3.5-0.8B
             */
            model: string;
            /**
             * @description Method that is used.
             * @enum {string}
             */
            training_method: "instruction" | "alignment";
            /** @description Hyperparameters of all trainings. */
            hyperparams: components["schemas"]["Hyperparams"];
            /**
             * @description Seeds.
             * @example 1
             */
            seeds: number;
            /**
             * @description Status of the comparison. Poll until `succeeded`, `failed` or `cancelled`.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Trainings that are done and compared.
             * @example 2
             */
            trainings_completed: number;
            /**
             * @description All trainings: two for each seed.
             * @example 2
             */
            trainings_total: number;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description Time of the end, ISO 8601 in UTC; null while the comparison is active. */
            completed_at: string | null;
            /** @description Why the comparison failed; null unless it failed. */
            error: string | null;
            /** @description Win rates, each of the first against the second. */
            win_rates: {
                /** @description The model trained on the adapted rows against the base model; null until a seed has been compared. */
                adapted_against_base: components["schemas"]["ComparisonWinRate"] | null;
                /** @description The model trained on the original rows against the base model; null until a seed has been compared. */
                original_against_base: components["schemas"]["ComparisonWinRate"] | null;
                /** @description The model trained on the adapted rows against the model trained on the original rows; null until a seed has been compared. */
                adapted_against_original: components["schemas"]["ComparisonWinRate"] | null;
            };
            /** @description Trainings in order; the last may be running. Those that have not begun are missing. */
            trainings: components["schemas"]["ComparisonTraining"][];
            /** @description Answers to up to 20 held-out prompts, evenly spread; empty until they are compared. */
            answers: components["schemas"]["ComparedAnswers"][];
        };
        ComparisonWinRate: {
            /**
             * @description Mean of the win rates of the seeds, 0 to 1. Half of the ties count as wins.
             * @example 0.62
             */
            value: number;
            /**
             * @description 95 % interval of the effect (Wilson): for other prompts, and with several seeds for other seeds. With one seed it is that of these two models.
             * @example [
             *       0.4815,
             *       0.7413
             *     ]
             */
            interval95: [
                number,
                number
            ];
            /** @description Standard deviation of the win rates over seeds; null for a single seed. */
            seed_spread: number | null;
            /**
             * @description Between the two sides: `checks`, which know defects such as a broken form, a repetition or the wrong language, or `judge`, where a calibrated judge decided rows that the checks left open. Against the base: `judge`, where one compared the answers of every seed, or `likelihood`: which model finds the original answer likelier.
             * @example judge
             * @enum {string}
             */
            measure: "checks" | "judge" | "likelihood";
            /**
             * @description Prompts that were compared: of the seeds, the fewest.
             * @example 50
             */
            rows: number;
            /**
             * @description Whether there were too few rows to rely on it.
             * @example false
             */
            is_indicative: boolean;
            /** @description The win rate of each seed, with the interval of its rows alone. */
            by_seed: {
                /**
                 * @description Number of the seed, from 1.
                 * @example 1
                 */
                seed: number;
                /**
                 * @description Wins and half of the ties, as a share of the compared rows, 0 to 1.
                 * @example 0.62
                 */
                value: number;
                /**
                 * @description 95 % interval of the win rate (Wilson): lower and upper end.
                 * @example [
                 *       0.4815,
                 *       0.7413
                 *     ]
                 */
                interval95: [
                    number,
                    number
                ];
                /**
                 * @description Rows on which the first side was better.
                 * @example 28
                 */
                wins: number;
                /**
                 * @description Rows on which the second side was better.
                 * @example 16
                 */
                losses: number;
                /**
                 * @description Rows on which neither was better.
                 * @example 6
                 */
                ties: number;
                /**
                 * @description Ties that neither the checks nor a judge decided.
                 * @example 0
                 */
                undecided: number;
                /** @description Why neither decided them; null where none is undecided, and in older comparisons. */
                undecided_reason: string | null;
                /** @description Why no judge decided; null if one did, or there is no win rate. */
                likelihood_reason: string | null;
            }[];
        };
        ComparisonTraining: {
            /**
             * @description The rows that are trained on: `original` or `adapted`.
             * @enum {string}
             */
            side: "original" | "adapted";
            /**
             * @description Number of the seed, from 1.
             * @example 1
             */
            seed: number;
            /**
             * @description `running`: not done yet. `completed`: it has a model and a win rate. `diverged`: a loss was no number. `failed`: it has no result. `stopped`: the training ended before the iteration did.
             * @example completed
             * @enum {string}
             */
            status: "running" | "completed" | "diverged" | "failed" | "stopped";
            /** @description What an iteration that is running does now; null for others. */
            phase: ("waiting" | "starting" | "training" | "handing_over" | "answering" | "packing" | "comparing") | null;
            /** @description Why the iteration has no result; null if it has one or is running. */
            reason: string | null;
            /** @description Rows that were trained on; null until the training is done. */
            rows: number | null;
            /** @description Loss of the last step; null before one. The sides learn other texts: it does not compare. */
            training_loss: number | null;
            /** @description Loss on the original answers to held-out prompts; null before it is measured. */
            held_out_loss: {
                /**
                 * @description Loss of the base model.
                 * @example 2.35
                 */
                before: number;
                /**
                 * @description Loss after the last epoch that is done.
                 * @example 1.66
                 */
                after: number;
            } | null;
            /** @description Curves by stage, those so far while it is running. */
            stages: components["schemas"]["StageMetrics"][];
        };
        StageMetrics: {
            /**
             * @description What the stage optimizes. Losses of different methods do not compare.
             * @enum {string}
             */
            method: "sft" | "dpo";
            /**
             * @description Steps that were done when the curve was written.
             * @example 90
             */
            steps: number;
            /**
             * @description All steps of the stage; null if that is not known.
             * @example 90
             */
            steps_planned: number | null;
            /**
             * @description Time that the stage has taken.
             * @example 412.5
             */
            seconds: number;
            /** @description Loss on training rows by step. Of more points than fit an evenly spread part is shown. */
            training_loss: components["schemas"]["TrainingLossPoint"][];
            /** @description Loss on held-out rows: before the stage, and after each epoch. */
            held_out_loss: components["schemas"]["HeldOutLossPoint"][];
        };
        TrainingLossPoint: {
            /**
             * @description Optimizer step, from 1.
             * @example 90
             */
            step: number;
            /**
             * @description Mean loss over the rows of the step.
             * @example 1.38
             */
            loss: number;
            /** @description Learning rate of the step; null if the training is older than this field. */
            learning_rate: number | null;
        };
        HeldOutLossPoint: {
            /**
             * @description Optimizer steps that were done: 0 is the model before the stage.
             * @example 90
             */
            step: number;
            /**
             * @description Mean loss over up to 50 held-out rows.
             * @example 1.66
             */
            loss: number;
        };
        ComparedAnswers: {
            /**
             * @description Index of the row in the download of the dataset, from 0.
             * @example 17
             */
            row: number;
            /**
             * @description The original prompt; several messages with their roles.
             * @example {
             *       "text": "How do I reset my password?",
             *       "truncated": false
             *     }
             */
            prompt: components["schemas"]["CutText"];
            /** @description The original answer. */
            reference: components["schemas"]["CutText"];
            /**
             * @description Answer of the base model.
             * @example {
             *       "text": "Passwords are important for security.",
             *       "truncated": false
             *     }
             */
            base: components["schemas"]["CutText"];
            /** @description The answers of the trained models. */
            by_seed: {
                /**
                 * @description Number of the seed, from 1.
                 * @example 1
                 */
                seed: number;
                /**
                 * @description Answer of the model that was trained on the original rows.
                 * @example {
                 *       "text": "Use the sign-in page.",
                 *       "truncated": false
                 *     }
                 */
                original: components["schemas"]["CutText"];
                /** @description Answer of the model that was trained on the adapted rows; null until it is trained. */
                adapted: components["schemas"]["CutText"] | null;
                /**
                 * @description Which of the two is better, by the measure of the seed; null if nothing decided it.
                 * @example adapted
                 */
                better: ("original" | "adapted" | "tie") | null;
            }[];
        };
        CutText: {
            /**
             * @description The text, up to 1,000 characters of it.
             * @example Choose "Forgot password" on the sign-in page.
             */
            text: string;
            /**
             * @description Whether the text is longer.
             * @example false
             */
            truncated: boolean;
        };
        BaseModels: {
            /** @description Models that can be trained. */
            models: components["schemas"]["BaseModel"][];
        };
        BaseModel: {
            /**
             * @description Id of the model; pass it as `model`.
             * @example Qwen/Qwen3.5-0.8B
             */
            id: string;
            /**
             * @description Name for people.
             * @example Qwen3.5 0.8B
             */
            display_name: string;
            /**
             * @description Number of parameters as a label, such as `4B`.
             * @example 0.8B
             */
            model_size: string;
            /**
             * @description The most tokens of a training row.
             * @example 131072
             */
            context_length: number;
            /**
             * @description Training methods that the model supports: `sft` on completions, `dpo` on preference pairs.
             * @example [
             *       "sft",
             *       "dpo"
             *     ]
             */
            methods: ("sft" | "dpo")[];
            /** @description What can be trained: an adapter (`lora`) or all weights (`full`). */
            training_types: ("lora" | "full")[];
            /**
             * @description Whether the model can be trained on reasoning traces.
             * @example false
             */
            train_with_reasoning: boolean;
        };
        RecommendedHyperparams: {
            /**
             * @description Id of the model that the hyperparameters are for.
             * @example Qwen/Qwen3.5-0.8B
             */
            model: string;
            /** @description Recommended hyperparameters. */
            hyperparams: components["schemas"]["Hyperparams"];
        };
        DownloadLink: {
            /**
             * Format: uri
             * @description Link to the file. Whoever has it can download the file until it expires.
             * @example https://tunesmith.s3.amazonaws.com/exports/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93/data.csv?X-Amz-Expires=900
             */
            url: string;
            /**
             * @description Name under which the file is saved.
             * @example support-answers.csv
             */
            file_name: string;
            /**
             * Format: date-time
             * @description Time from which the link no longer works, ISO 8601 in UTC.
             * @example 2026-11-22T10:15:00.000Z
             */
            expires_at: string;
        };
        TrainingMetrics: {
            /**
             * @description Id of the training.
             * @example 8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40
             */
            experiment_id: string;
            /**
             * @description Status of the training.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "succeeded" | "failed" | "cancelled";
            /**
             * @description Id of the base model.
             * @example Qwen/Qwen3.5-0.8B
             */
            model: string;
            /**
             * @description Win rate at which the training ends, 0 to 1.
             * @example 0.7
             */
            target_win_rate: number;
            /**
             * @description The most iterations.
             * @example 3
             */
            max_iterations: number;
            /**
             * @description The iteration with the best win rate so far; null until one is done.
             * @example 1
             */
            best_iteration: number | null;
            /** @description Iterations in order; the last may be running. */
            iterations: components["schemas"]["IterationMetrics"][];
        };
        IterationMetrics: {
            /**
             * @description Number of the iteration, from 1.
             * @example 1
             */
            iteration: number;
            /**
             * @description `running`: not done yet. `completed`: it has a model and a win rate. `diverged`: a loss was no number. `failed`: it has no result. `stopped`: the training ended before the iteration did.
             * @example completed
             * @enum {string}
             */
            status: "running" | "completed" | "diverged" | "failed" | "stopped";
            /** @description What an iteration that is running does now; null for others. */
            phase: ("waiting" | "starting" | "training" | "handing_over" | "answering" | "packing" | "comparing") | null;
            /** @description Why the iteration has no result; null if it has one or is running. */
            reason: string | null;
            /** @description Hyperparameters of the iteration; of an alignment, of its second stage. */
            hyperparams: components["schemas"]["Hyperparams"];
            /**
             * @description Hyperparameters that differ from the previous iteration; none in the first.
             * @example []
             */
            changes: components["schemas"]["HyperparamChange"][];
            /**
             * @description Why these hyperparameters: the rule that chose them, and what it saw.
             * @example The recommended values for this model.
             */
            why: string;
            /** @description Curves by stage. Of an iteration that is running those so far; empty if there are none. */
            stages: components["schemas"]["StageMetrics"][];
            /** @description Comparison with the base model; null if there is none. */
            win_rate: components["schemas"]["ShownWinRate"] | null;
            /** @description Why no judge decided; null if one did, or there is no win rate. */
            likelihood_reason: string | null;
            /** @description Answers of base and trained model to up to 20 held-out rows, evenly spread and the same in every iteration; empty until they are compared, and for trainings older than this field. */
            answers: components["schemas"]["AnswerPair"][];
        };
        HyperparamChange: {
            /** @description Name of the hyperparameter. */
            name: string;
            /** @description Value in the previous iteration; null if it was not set. */
            from: string | number | boolean | null;
            /** @description Value in this iteration; null if it is not set. */
            to: string | number | boolean | null;
        };
        ShownWinRate: {
            /**
             * @description Wins and half of the ties, as a share of the compared rows, 0 to 1.
             * @example 0.62
             */
            value: number;
            /**
             * @description 95 % interval of the win rate (Wilson): lower and upper end.
             * @example [
             *       0.4815,
             *       0.7413
             *     ]
             */
            interval95: [
                number,
                number
            ];
            /**
             * @description `judge`: a calibrated judge compared the answers. `likelihood`: which model finds the reference likelier.
             * @enum {string}
             */
            measure: "judge" | "likelihood";
            /** @description Id of the model that judged; null for likelihoods. */
            judge: string | null;
            /**
             * @description Rows that were compared.
             * @example 50
             */
            rows: number;
            /**
             * @description Rows on which the trained model was better.
             * @example 28
             */
            wins: number;
            /**
             * @description Rows on which the base model was better.
             * @example 16
             */
            losses: number;
            /**
             * @description Rows on which neither was better.
             * @example 6
             */
            ties: number;
            /**
             * @description Whether there were too few rows to rely on it.
             * @example false
             */
            is_indicative: boolean;
        };
        AnswerPair: {
            /**
             * @description Index of the row in the download of the dataset, from 0.
             * @example 17
             */
            row: number;
            /**
             * @description What both models were asked; several messages with their roles.
             * @example {
             *       "text": "How do I reset my password?",
             *       "truncated": false
             *     }
             */
            prompt: components["schemas"]["CutText"];
            /** @description The answer of the dataset. */
            reference: components["schemas"]["CutText"];
            /**
             * @description Answer of the base model.
             * @example {
             *       "text": "Passwords are important for security.",
             *       "truncated": false
             *     }
             */
            base: components["schemas"]["CutText"];
            /** @description Answer of the trained model. */
            trained: components["schemas"]["CutText"];
            /**
             * @description How the trained model did on the row, by the measure of the win rate; null if the row was not decided.
             * @example win
             */
            verdict: ("win" | "loss" | "tie") | null;
        };
        Publication: {
            /**
             * @description Id of the publication.
             * @example 5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10
             */
            publish_id: string;
            /**
             * @description Status of the publication.
             * @example succeeded
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed";
            /** @description What happens next, or why it failed. */
            message?: string;
            /**
             * @description Platform that the dataset or model is published to.
             * @enum {string}
             */
            target: "huggingface" | "kaggle";
            /**
             * @description Repository on the platform, as `namespace/name` once its owner is known.
             * @example acme/support-answers
             */
            repository: string;
            /** @description Whether the repository was to be private. */
            private: boolean;
            /**
             * @description Share of the work that is done, in percent.
             * @example 100
             */
            progress_percent: number;
            /** @description Address of the repository; null until it is published. */
            url: string | null;
            /** @description Commit that the publication made, on Kaggle the number of the version; null until then, and if the repository had the same content. */
            commit: string | null;
            /**
             * Format: date-time
             * @description Time of the request, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            updated_at: string;
        };
        ChatCompletion: {
            /**
             * @description Id of the answer.
             * @example chatcmpl-0f6f1d5b8a103f0c5a522c0a4c538f4e
             */
            id: string;
            /**
             * @description Kind of the object.
             * @constant
             */
            object: "chat.completion";
            /**
             * @description Time of creation, seconds since 1970-01-01 UTC.
             * @example 1795341600
             */
            created: number;
            /**
             * @description Model of the request.
             * @example stack:support
             */
            model: string;
            /** @description The one answer. */
            choices: {
                /**
                 * @description Always 0.
                 * @constant
                 */
                index: 0;
                /**
                 * @description Why the answer ended.
                 * @enum {string}
                 */
                finish_reason: "stop" | "length" | "tool_calls" | "content_filter";
                /** @description Always null. */
                logprobs: null;
                /** @description The answer. */
                message: {
                    /**
                     * @description Who speaks.
                     * @constant
                     */
                    role: "assistant";
                    /** @description Text of the answer; null without any. */
                    content: string | null;
                    /** @description Why the model refuses; null unless it does. */
                    refusal: string | null;
                    /**
                     * @description Pages that the text cites.
                     * @example []
                     */
                    annotations: {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        type: "url_citation";
                        /** @description The page, and the characters of the text that rest on it. */
                        url_citation: {
                            /** @description Address of the page. */
                            url: string;
                        } & {
                            [key: string]: unknown;
                        };
                    }[];
                    /** @description Calls of functions; absent without any. */
                    tool_calls?: {
                        /** @description Id that connects a call with its output, up to 256 characters. */
                        id: string;
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        type: "function";
                        /** @description The function and its arguments. */
                        function: {
                            /** @description Name of the function, up to 128 characters. */
                            name: string;
                            /** @description Arguments as JSON text. */
                            arguments: string;
                        };
                    }[];
                };
            }[];
            /** @description Tokens that are billed; null if none were counted. */
            usage: {
                /**
                 * @description Tokens of the conversation.
                 * @example 14
                 */
                prompt_tokens: number;
                /**
                 * @description Tokens that the model wrote.
                 * @example 17
                 */
                completion_tokens: number;
                /**
                 * @description Sum of both.
                 * @example 31
                 */
                total_tokens: number;
                /** @description Parts of `prompt_tokens`. */
                prompt_tokens_details: {
                    /**
                     * @description Tokens read from the prompt cache.
                     * @example 0
                     */
                    cached_tokens: number;
                };
                /** @description Parts of `completion_tokens`. */
                completion_tokens_details: {
                    /**
                     * @description Tokens of the reasoning.
                     * @example 0
                     */
                    reasoning_tokens: number;
                };
            } | null;
            /**
             * @description Always `default`.
             * @constant
             */
            service_tier: "default";
            /** @description Always null. */
            system_fingerprint: null;
        };
        AnswerCost: {
            /**
             * @description Id of the response.
             * @example resp_0f6f1d5b8a103f0c5a522c0a4c538f4e
             */
            response_id: string;
            /**
             * @description Id of the model.
             * @example qwen3-4b
             */
            model: string;
            /**
             * @description Tokens that models were sent.
             * @example 4200
             */
            input_tokens: number;
            /**
             * @description Tokens that models answered.
             * @example 1850
             */
            output_tokens: number;
            /**
             * @description Cost at the price of the model, in credits, exact to a millionth.
             * @example 0.058
             */
            cost_credits: number;
            /**
             * @description What was billed of it: less if the credits had run out.
             * @example 0.058
             */
            billed_credits: number;
            /**
             * Format: date-time
             * @description When the answer ended, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            answered_at: string;
        };
        LedgerMovement: {
            /**
             * @description Id of the entry, unique in the team.
             * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93-settle
             */
            entry_id: string;
            /**
             * @description `grant`: credits of the operator. `reserve`: reserved for a run or for answers. `settle`: billed, of what was reserved. `release`: returned, of what was reserved.
             * @example settle
             * @enum {string}
             */
            type: "grant" | "reserve" | "settle" | "release";
            /**
             * @description What the credits are for: a run or a training, or answers of models, whose credits move in blocks; `grant` for a grant.
             * @example run
             * @enum {string}
             */
            purpose: "grant" | "run" | "answers";
            /**
             * @description How many credits moved.
             * @example 3
             */
            credits: number;
            /** @description Id of the run or training; null if there is none. */
            run_id: string | null;
            /** @description Id of the dataset of the run; null if there is none, or the entry is older than this field. */
            dataset_id: string | null;
            /** @description Of a grant what the operator noted, of a run that did not succeed the code of its error. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When the credits moved, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
        };
        CreditUsage: {
            /** @description Every day of the range, oldest first; today is the last. */
            days: components["schemas"]["UsageDay"][];
            /** @description Sums over the days. */
            total: {
                /** @description Runs of all days. */
                runs: components["schemas"]["RunsUsage"];
                /** @description Answers of all days. */
                answers: components["schemas"]["AnswersUsage"];
            };
            /**
             * @description Null if all runs of the days are counted. Else the time after which they are, ISO 8601 in UTC: of very many ledger entries the newest 20,000 are read, and runs that were billed at this time or before are not counted. Answers are always counted.
             * @example null
             */
            runs_complete_after: string | null;
        };
        UsageDay: {
            /**
             * Format: date
             * @description The day in UTC, such as `2026-03-01`.
             * @example 2026-11-22
             */
            day: string;
            /** @description Runs that ended on the day. */
            runs: components["schemas"]["RunsUsage"];
            /** @description Answers of the day, of all models. */
            answers: components["schemas"]["AnswersUsage"];
            /** @description The same answers by model. */
            models: components["schemas"]["ModelUsage"][];
        };
        RunsUsage: {
            /**
             * @description Runs and trainings that ended and were billed.
             * @example 1
             */
            runs: number;
            /**
             * @description Credits that they were billed.
             * @example 3
             */
            credits: number;
        };
        AnswersUsage: {
            /**
             * @description Answers that ended.
             * @example 12
             */
            answers: number;
            /**
             * @description Tokens that models were sent.
             * @example 4200
             */
            input_tokens: number;
            /**
             * @description Tokens that models answered.
             * @example 1850
             */
            output_tokens: number;
            /**
             * @description Cost at the prices of the models, in credits, exact to a millionth.
             * @example 0.058
             */
            cost_credits: number;
            /**
             * @description What was billed of it: less if the credits had run out.
             * @example 0.058
             */
            billed_credits: number;
        };
        ModelUsage: {
            /**
             * @description Id of the model.
             * @example qwen3-4b
             */
            model: string;
            /**
             * @description Answers that ended.
             * @example 12
             */
            answers: number;
            /**
             * @description Tokens that models were sent.
             * @example 4200
             */
            input_tokens: number;
            /**
             * @description Tokens that models answered.
             * @example 1850
             */
            output_tokens: number;
            /**
             * @description Cost at the prices of the models, in credits, exact to a millionth.
             * @example 0.058
             */
            cost_credits: number;
            /**
             * @description What was billed of it: less if the credits had run out.
             * @example 0.058
             */
            billed_credits: number;
        };
        DatasetListItem: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Name of the dataset.
             * @example support-answers
             */
            name: string;
            /**
             * @description Status. `awaiting_input`: the file has been read, and an adaptation has to be started.
             * @example awaiting_input
             * @enum {string}
             */
            status: "pending" | "running" | "awaiting_input" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            updated_at: string;
            /** @description Number of rows; null until the file has been read. */
            row_count: number | null;
            /** @description Generated description of the contents; null when there is none. */
            description: string | null;
            /**
             * @description What a `pending` dataset waits for: `file`, its upload and the completion of that, or `start`, the call of `start-adaption`; null where it goes on by itself, and for other states.
             * @example null
             */
            waits_for: ("file" | "start") | null;
        };
        UploadInstructions: {
            /**
             * @description Pre-signed URL to which the file is sent, valid for one hour.
             * @example https://tunesmith.s3.amazonaws.com/uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv?X-Amz-Expires=3600
             */
            url: string;
            /**
             * @description HTTP method to use.
             * @constant
             */
            method: "PUT";
            /**
             * @description Object key of the file.
             * @example uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv
             */
            s3_key: string;
        };
        CombineJob: {
            /**
             * @description Id of the combine job.
             * @example d2a7c1f4-6b0e-4e39-9f52-8c7b3a1e0d65
             */
            combine_job_id: string;
            /**
             * @description Status of the combine job.
             * @example running
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed";
            /** @description Id of the merged dataset; null when the merge failed before it was created. */
            dataset_id: string | null;
            /** @description Why the merge failed; null unless it failed. */
            error_message: string | null;
        };
        CombineValidation: {
            /** @description Whether the datasets can be merged. */
            compatible: boolean;
            /**
             * @description Training type of the merged dataset; absent when they cannot be merged.
             * @example instruction_dataset
             * @enum {string}
             */
            training_type?: "instruction_dataset" | "preference_pairs";
            /**
             * @description Rows of all datasets together; absent when they cannot be merged.
             * @example 500
             */
            total_estimated_rows?: number;
            /**
             * @description Problems that were found; empty when there are none.
             * @example []
             */
            issues: components["schemas"]["CombineIssue"][];
        };
        CombineIssue: {
            /**
             * @description Stable code of the problem.
             * @enum {string}
             */
            code: "too_few_sources" | "too_many_sources" | "duplicate_source_ids" | "dataset_not_found" | "wrong_organization" | "dataset_not_ready" | "missing_run_id" | "mixed_multimodal_sources" | "all_preference_sources_missing_dpo_columns" | "incompatible_column_types" | "preference_source_missing_ranked_generations" | "mixed_training_types_resolved_to_sft";
            /**
             * @description `error` blocks the merge; `warning` says what the merge does by itself.
             * @enum {string}
             */
            level: "error" | "warning";
            /** @description What the problem is. */
            message: string;
            /** @description Number of datasets in the request. */
            count?: number;
            /** @description Number of datasets that is allowed. */
            limit?: number;
            /** @description Dataset that the problem is about. */
            dataset_id?: string;
            /** @description Status of that dataset. */
            status?: string;
            /** @description Datasets that the problem is about. */
            dataset_ids?: string[];
            /** @description Datasets with an image column. */
            multimodal_dataset_ids?: string[];
            /** @description Datasets without an image column. */
            text_dataset_ids?: string[];
            /** @description Columns whose types differ. */
            columns?: {
                /** @description Name of the column. */
                column: string;
                /** @description Type of the column in each dataset. */
                types: {
                    /**
                     * @description Id of the dataset.
                     * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                     */
                    dataset_id: string;
                    /** @description DuckDB type of the column there. */
                    type: string;
                }[];
                /** @description DuckDB type in the merged dataset. */
                cast_to: string;
            }[];
            /** @description Training type of each dataset. */
            types?: {
                /**
                 * @description Id of the dataset.
                 * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                 */
                dataset_id: string;
                /**
                 * @description Training type of the dataset.
                 * @enum {string}
                 */
                training_type: "instruction_dataset" | "preference_pairs";
            }[];
        };
        InventedDataset: {
            /** @description True when nothing was created. */
            estimate: boolean;
            /** @description Id of the dataset; null for an estimate. */
            id: string | null;
            /**
             * @description Name of the dataset.
             * @example cooking-questions
             */
            name: string;
            /**
             * @description Kind of rows that are generated.
             * @enum {string}
             */
            training_type: "instruction_dataset" | "preference_pairs";
            /**
             * @description Domain codes, with those that were inferred.
             * @example [
             *       "cooking_food"
             *     ]
             */
            domains: string[];
            /**
             * @description Subdomain codes.
             * @example []
             */
            subdomains: string[];
            /**
             * @description Description that the rows are written by: the one given, else one written from the topics.
             * @example Questions on baking bread at home
             */
            dataset_prompt: string;
            /**
             * @description Rows that were requested.
             * @example 100
             */
            rows: number;
            /** @description Status of the dataset; null for an estimate. */
            status: ("pending" | "running" | "awaiting_input" | "succeeded" | "failed") | null;
            /**
             * @description Time of creation, ISO 8601 in UTC; null for an estimate.
             * @example null
             */
            created_at: string | null;
            /**
             * @description Credits that the run reserves: 10 per 100 rows, with the rows in other languages.
             * @example 15
             */
            estimated_credits: number;
            /**
             * @description Credits that the team has available.
             * @example 990
             */
            available_credits: number;
        };
        DomainTaxonomy: {
            /** @description Domains of the catalog. */
            domains: {
                /**
                 * @description Code of the domain; send it in `domains`.
                 * @example cooking_food
                 */
                code: string;
                /**
                 * @description Name of the domain.
                 * @example Cooking and food
                 */
                title: string;
                /** @description Subdomains; empty when the domain has none. */
                subdomains: {
                    /**
                     * @description Code of the subdomain as `domain.subdomain`; send it in `subdomains`.
                     * @example cooking_food.baking
                     */
                    code: string;
                    /**
                     * @description Name of the subdomain.
                     * @example Baking
                     */
                    title: string;
                }[];
            }[];
        };
        Dataset: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description How the dataset came to be.
             * @enum {string}
             */
            kind: "uploaded" | "combined" | "invented" | "augmented" | "translated" | "localized" | "extended";
            /** @description Dataset from which this one was made; null for `uploaded`, `combined` and `invented`. */
            source_dataset_id: string | null;
            /**
             * @description Name of the dataset.
             * @example support-answers
             */
            name: string;
            /** @description Generated description of the contents; null when there is none. */
            description: string | null;
            /**
             * @description Status. `pending` also covers a dataset that waits for an adaptation; the status endpoint says `awaiting_input` there.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Id of the user whose key created the dataset.
             * @example 7c9e6679-7425-40de-944b-e07fc1f90ae7
             */
            created_by_user_id: string;
            /**
             * Format: date-time
             * @description Time of the last change, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            updated_at: string;
            /** @description Number of rows; null until the file has been read. */
            row_count: number | null;
            /** @description Column mapping of the latest run; null until one is set. */
            configured_column_mapping: components["schemas"]["ConfiguredColumnMapping"] | null;
            /** @description Grades and scores of the latest run that succeeded; null while a run is active, and where it was not evaluated. */
            evaluation_summary: components["schemas"]["EvaluationSummary"] | null;
            /** @description Id of the active run; null when none is active. */
            run_id: string | null;
            /**
             * @description Progress of the active run; null when none is active.
             * @example null
             */
            progress: components["schemas"]["Progress"] | null;
            /** @description Why the dataset failed; of one that did not, a `warning` of what was lost when its file was read; null otherwise. */
            error_data: {
                /** @description What went wrong and what to do about it. */
                message: string;
                /** @description Stable code. Those of errors are listed in `Problem.code`. */
                code: string;
                /**
                 * @description `error` when the work failed; `warning` when it was done and something is to be known of it.
                 * @enum {string}
                 */
                level: "error" | "warning";
            } | null;
            /** @description Older form of `error_data`; null unless the dataset failed. */
            error: {
                /** @description The `message` of `error_data`. */
                message: string;
            } | null;
            /** @description How each image column stores its images, by column name; null when there is no image column. */
            image_column_formats: {
                [key: string]: "embedded_bytes" | "url" | "file_reference";
            } | null;
            /** @description Form of the file, as its columns show; null when it is none of these, and until the file has been read. */
            detected_format: components["schemas"]["DetectedFormat"] | null;
        };
        ConfiguredColumnMapping: {
            /**
             * @description Column with the prompts; absent when none is mapped.
             * @example question
             */
            prompt?: string;
            /**
             * @description Column with the completions; absent when none is mapped.
             * @example answer
             */
            completion?: string;
            /** @description Column with the conversations; absent when none is mapped. */
            chat?: string;
            /**
             * @description Columns with context; empty when none is mapped.
             * @example []
             */
            context: string[];
            /** @description Column with the images; absent when none is mapped. */
            image?: string;
            /** @description Instruction for all rows; absent when there is none. */
            universal_prompt?: string;
            /** @description Column with the preferred answers; absent when none is mapped. */
            chosen?: string;
            /** @description Column with the dispreferred answers; absent when none is mapped. */
            rejected?: string;
        };
        EvaluationSummary: {
            /**
             * @description Grade of the source rows, A (best) to E; null without completions.
             * @example C
             */
            grade_before: ("A" | "B" | "C" | "D" | "E") | null;
            /**
             * @description Grade of the adapted rows, A (best) to E.
             * @example B
             */
            grade_after: ("A" | "B" | "C" | "D" | "E") | null;
            /** @description Mean score of the source rows, 0 to 10; null without completions. */
            score_before: number | null;
            /** @description Mean score of the adapted rows, 0 to 10. */
            score_after: number | null;
            /** @description Relative change of the score in percent: (after − before) / before × 100. */
            improvement_percent: number | null;
        };
        Progress: {
            /**
             * @description Share of the work that is done, 0 to 100 percent.
             * @example 48
             */
            percent: number;
            /**
             * @description Rows that are done.
             * @example 120
             */
            processed_rows: number;
            /**
             * @description Rows to process.
             * @example 250
             */
            total_rows: number;
        };
        DetectedFormat: {
            /**
             * @description Name of the form.
             * @example alpaca
             * @enum {string}
             */
            name: "openai" | "sharegpt" | "alpaca" | "trl";
            /** @description What its columns hold: a proposal for a column_mapping. */
            column_mapping: components["schemas"]["ConfiguredColumnMapping"];
        };
        RunQuote: {
            /** @description Id of the run; null for an estimate. */
            run_id: string | null;
            /** @description Version of the dataset that the run makes; absent of an estimate. */
            version?: number;
            /**
             * @description Expected duration of the run, in minutes.
             * @example 1.4
             */
            estimatedMinutes: number;
            /** @description What to know of the quote, one sentence each; absent when there is nothing to say. */
            notes?: string[];
            /**
             * @description What the estimate rests on, as a sentence.
             * @example measured over 3 runs with qwen3-4b
             */
            estimateBasis?: string;
            /**
             * @description Credits that the run reserves. At the end only delivered rows are charged.
             * @example 4
             */
            estimatedCreditsConsumed: number;
            /** @description Price and time by `job_specification.processing`; only in estimates, and absent if the installation makes no batch jobs. */
            processing?: {
                /** @description With single model calls. */
                standard: {
                    /** @description Expected duration of the run, in minutes. */
                    estimatedMinutes: number;
                    /** @description Credits that the run reserves. */
                    estimatedCreditsConsumed: number;
                };
                /** @description With batch jobs of the provider. */
                batch: {
                    /** @description Expected duration of the run, in minutes. */
                    estimatedMinutes: number;
                    /** @description Credits that the run reserves. */
                    estimatedCreditsConsumed: number;
                };
            };
            /** @description Rows that are unchanged since an earlier run with these settings, and cost nothing again; absent when there are none. */
            reused_rows?: number;
            /** @description True when no run was started. */
            estimate: boolean;
            /**
             * @description True when an image column is mapped: 10 credits per 100 rows instead of 1.
             * @example false
             */
            multimodalPricingApplied: boolean;
            /** @description Credits per 100 output rows when images are mapped: 10, or 5 with batch jobs; absent for text. */
            creditMultiplier?: number;
        };
        Append: {
            /** @description Id of the append; null while its file is not uploaded. */
            append_id: string | null;
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description `awaiting_upload` in the answer to `file`. `pending` until the rows are there: they wait for an active run. `failed`: nothing was appended.
             * @example pending
             * @enum {string}
             */
            status: "awaiting_upload" | "pending" | "succeeded" | "failed";
            /** @description Rows of the append; null until they are read. */
            appended_rows: number | null;
            /** @description Version of the dataset with these rows; null until they are there. */
            version: number | null;
            /**
             * @description Where to send the file of a request with `file`; null otherwise.
             * @example null
             */
            upload_instructions: components["schemas"]["UploadInstructions"] | null;
            /** @description Why the append failed; null otherwise. */
            error_data: {
                /** @description What went wrong and what to do about it. */
                message: string;
                /** @description Stable code. Those of errors are listed in `Problem.code`. */
                code: string;
                /**
                 * @description `error` when the work failed; `warning` when it was done and something is to be known of it.
                 * @enum {string}
                 */
                level: "error" | "warning";
            } | null;
            /**
             * Format: date-time
             * @description Time of the request, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /**
             * @description Time at which the append ended, ISO 8601 in UTC; null until then.
             * @example null
             */
            ended_at: string | null;
        };
        AugmentationStarted: {
            /** @description Id of the new dataset; null for an estimate. */
            dataset_id: string | null;
            /** @description Status of the new dataset; null for an estimate. */
            status: ("pending" | "running" | "awaiting_input" | "succeeded" | "failed") | null;
            /**
             * @description Rows of the curated pool on the topics of the dataset, as requested or recommended.
             * @example 100
             */
            domain_rows: number;
            /**
             * @description Rows of the curated pool on other topics, as requested or recommended.
             * @example 100
             */
            general_rows: number;
            /**
             * @description Rows that a model writes in the style of the dataset.
             * @example 0
             */
            similar_rows: number;
            /**
             * @description Credits that the run reserves; 0 when the idempotency key was used before.
             * @example 2
             */
            estimated_credits_consumed: number;
            /** @description True when nothing was created. */
            estimate: boolean;
            /**
             * @description Rows of this training type that the pool holds: no more can be added of it
             * @example 2400
             */
            pool_rows: number;
        };
        DatasetStatusRecord: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Status. `pending`: its file is awaited or being read. `running`: a run is active. `awaiting_input`: its rows wait for an adaptation. After an upload, poll until `awaiting_input` (a raw dataset: `succeeded`) or `failed`; after a launch, until `succeeded` or `failed`.
             * @example running
             * @enum {string}
             */
            status: "pending" | "running" | "awaiting_input" | "succeeded" | "failed";
            /** @description Number of rows; null until the file has been read. */
            row_count: number | null;
            /** @description Progress of the active run; null when none is active. */
            progress: components["schemas"]["Progress"] | null;
            /** @description Why the dataset failed; of one that did not, a `warning` of what was lost when its file was read; null otherwise. */
            error_data: {
                /** @description What went wrong and what to do about it. */
                message: string;
                /** @description Stable code. Those of errors are listed in `Problem.code`. */
                code: string;
                /**
                 * @description `error` when the work failed; `warning` when it was done and something is to be known of it.
                 * @enum {string}
                 */
                level: "error" | "warning";
            } | null;
            /** @description Older form of `error_data`; null unless the dataset failed. */
            error: {
                /** @description The `message` of `error_data`. */
                message: string;
            } | null;
            /**
             * @description What a `pending` dataset waits for: `file`, its upload and the completion of that, or `start`, the call of `start-adaption`; null where it goes on by itself, and for other states.
             * @example null
             */
            waits_for: ("file" | "start") | null;
        };
        CustomEval: {
            /**
             * @description Id of the custom evaluation.
             * @example 5b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42
             */
            custom_eval_id: string;
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Status of the custom evaluation.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "succeeded" | "failed";
            /**
             * @description Instructions of the judge, as in the request.
             * @example Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does.
             */
            judge_prompt: string;
            /** @description Name, as in the request; null when none was given. */
            name: string | null;
            /**
             * @description Mean score of the source rows, 0 to 10; null until it has succeeded.
             * @example 2.1
             */
            score_before: number | null;
            /**
             * @description Mean score of the adapted rows, 0 to 10; null until it has succeeded.
             * @example 4.8
             */
            score_after: number | null;
            /** @description Relative change of the score in percent; null until it has succeeded. */
            improvement_percent: number | null;
            /** @description Rows that were scored; null until it has succeeded. */
            scored_rows: number | null;
            /** @description Why it failed; null unless it failed. */
            error_message: string | null;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description Time at which it ended, ISO 8601 in UTC; null while it is active. */
            completed_at: string | null;
        };
        Diff: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Version before.
             * @example 1
             */
            from: number;
            /**
             * @description Version after.
             * @example 2
             */
            to: number;
            /**
             * @description `pending` while the versions are compared: ask again after `Retry-After` seconds.
             * @example ready
             * @enum {string}
             */
            status: "pending" | "ready";
            /** @description All rows by what became of them; null while pending. */
            counts: components["schemas"]["DiffCounts"] | null;
            /**
             * @description Columns that are compared, as downloads name them; at most 1,000. Empty while pending.
             * @example [
             *       "question",
             *       "answer",
             *       "enhanced_completion"
             *     ]
             */
            columns: string[];
            /** @description The rows of this page: changed ones, then added, then removed ones, each by their numbers. A page of 1 MiB ends early. */
            rows: components["schemas"]["DiffRow"][];
            /** @description Pass it as `after` to get the next page; null on the last page and while pending. */
            next_after: string | null;
        };
        DiffCounts: {
            /**
             * @description Rows that only `to` has.
             * @example 0
             */
            added: number;
            /**
             * @description Rows that only `from` has.
             * @example 3
             */
            removed: number;
            /**
             * @description Rows with a cell that differs.
             * @example 180
             */
            changed: number;
            /**
             * @description Rows that are the same in both.
             * @example 67
             */
            unchanged: number;
        };
        DiffRow: {
            /**
             * @description What became of the row from one version to the other.
             * @enum {string}
             */
            kind: "changed" | "added" | "removed";
            /**
             * @description Number of the row in the source, from 0. Of a row that a run adds in another language: the number of the row that it is made of.
             * @example 12
             */
            row: number;
            /** @description Of a row in another language: which one; null for rows of the source. */
            target: components["schemas"]["ExpansionTarget"] | null;
            /** @description Cells in `from`; null of an added row. */
            before: {
                /** @description At most 100 cells, with at most 800 characters each: of a changed row those that differ, of another one all. Cells without a value are left out. */
                cells: components["schemas"]["ShownCell"][];
            } | null;
            /**
             * @description Cells in `to`; null of a removed row.
             * @example {
             *       "cells": [
             *         {
             *           "column": "answer",
             *           "text": "Open Settings, then Security.",
             *           "truncated": false
             *         }
             *       ]
             *     }
             */
            after: {
                /** @description At most 100 cells, with at most 800 characters each: of a changed row those that differ, of another one all. Cells without a value are left out. */
                cells: components["schemas"]["ShownCell"][];
            } | null;
        };
        ExpansionTarget: {
            /** @description Language code. */
            language: string;
            /** @description Country code; null for a translation. */
            country: string | null;
        };
        ShownCell: {
            /**
             * @description Name of the column, as `columns` has it.
             * @example answer
             */
            column: string;
            /**
             * @description Text of the cell; JSON text of a value that is no text.
             * @example Open Settings, then Security, and
             */
            text: string;
            /**
             * @description True if this is only the beginning of the text.
             * @example false
             */
            truncated: boolean;
        };
        Evaluation: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Status of the evaluation of the active run, or else of the latest one that succeeded; `pending` until the rows of the active run are done, and before the first. `skipped` also for a dataset that has ended and that no adaptation has made.
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "running" | "succeeded" | "failed" | "skipped";
            /** @description Grades and scores; null until the evaluation has ended. */
            quality: components["schemas"]["Quality"] | null;
            /**
             * @description How the scores came about; null until the evaluation has ended. `rows`: completions of the sample that changed or not. `score_interval_before`, `score_interval_after`: 95 % intervals of the scores. `share_got_worse`: estimated share of rows whose completion got worse. `rates`: how often the checks and each kind of edit are right, and with which model that was measured. `judge`: who compared and graded, and how well it is calibrated. `before`, `after`, `difference`: the judge's or the metrics' own scores of single answers, which do not make the grade. `rates.same_model`: whether the judge is the model that wrote the answers.
             * @example {
             *       "sample": {
             *         "sampled": 40
             *       }
             *     }
             */
            raw_results: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /**
             * @description Evaluations of the other runs, the latest first.
             * @example []
             */
            history: {
                /**
                 * @description Id of the run.
                 * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93
                 */
                run_id: string;
                /**
                 * @description Status of its evaluation.
                 * @enum {string}
                 */
                status: "pending" | "running" | "succeeded" | "failed" | "skipped";
                /** @description Its grades and scores; null where there are none. */
                quality: components["schemas"]["Quality"] | null;
                /**
                 * Format: date-time
                 * @description Time of the start, ISO 8601 in UTC.
                 * @example 2026-11-22T10:00:00.000Z
                 */
                started_at: string;
            }[];
        };
        Quality: {
            /**
             * @description Grade of the source rows, A (best) to E; null without completions.
             * @example C
             */
            grade_before: ("A" | "B" | "C" | "D" | "E") | null;
            /**
             * @description Grade of the adapted rows, A (best) to E.
             * @example B
             */
            grade_after: ("A" | "B" | "C" | "D" | "E") | null;
            /** @description Mean score of the source rows, 0 to 10; null without completions. */
            score_before: number | null;
            /** @description Mean score of the adapted rows, 0 to 10. */
            score_after: number | null;
            /** @description Relative change of the score in percent: (after − before) / before × 100. */
            improvement_percent: number | null;
            /** @description Share of the evaluated datasets of this installation that score lower, ties counting half, 0 to 100 percent; null for the first. */
            percentile_after: number | null;
        };
        ExportLinks: {
            /** @description URL of the export to Hugging Face; null when there is none. */
            huggingface: string | null;
            /** @description URL of the export to Kaggle; null when there is none. */
            kaggle: string | null;
            /** @description URL of the export to Google Sheets; null when there is none. */
            google_sheets: string | null;
        };
        ExtensionQuote: {
            /** @description Id of the run; null for an estimate. */
            run_id: string | null;
            /** @description Version of the dataset that the run makes; absent of an estimate. */
            version?: number;
            /**
             * @description Expected duration of the run, in minutes.
             * @example 1.4
             */
            estimatedMinutes: number;
            /** @description What to know of the quote, one sentence each; absent when there is nothing to say. */
            notes?: string[];
            /**
             * @description What the estimate rests on, as a sentence.
             * @example measured over 3 runs with qwen3-4b
             */
            estimateBasis?: string;
            /**
             * @description Credits that the run reserves. At the end only delivered rows are charged.
             * @example 4
             */
            estimatedCreditsConsumed: number;
            /** @description Rows that are unchanged since an earlier run with these settings, and cost nothing again; absent when there are none. */
            reused_rows?: number;
            /** @description True when no run was started. */
            estimate: boolean;
            /**
             * @description True when an image column is mapped: 10 credits per 100 rows instead of 1.
             * @example false
             */
            multimodalPricingApplied: boolean;
            /** @description Credits per 100 output rows when images are mapped: 10, or 5 with batch jobs; absent for text. */
            creditMultiplier?: number;
            /** @description Id of the new dataset; null for an estimate. */
            dataset_id: string | null;
        };
        BestLaunchConfig: {
            /** @description Settings of the best training job; null while a training is active and when no training produced a model. */
            best_job_config: {
                /**
                 * Format: uuid
                 * @description Id of the training job.
                 * @example e4b0c9d8-1f2a-4b3c-8d5e-6f7a8b9c0d1e
                 */
                finetune_job_id: string;
                /**
                 * @description Id of the training run; null for a job without one.
                 * @example 8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40
                 */
                training_experiment_id: string | null;
                /**
                 * @description Base model that was trained.
                 * @example Qwen/Qwen3.5-0.8B
                 */
                original_model_name: string;
                /** @description Name of the trained model; null when none is known. */
                trained_model_name: string | null;
                /**
                 * @description `sft` trains on completions, `dpo` on preference pairs.
                 * @enum {string}
                 */
                training_method: "sft" | "dpo";
                /**
                 * @description `lora` trains an adapter, `full` all weights.
                 * @enum {string}
                 */
                training_type: "lora" | "full";
                /**
                 * @description Format of the training rows.
                 * @enum {string}
                 */
                data_format: "chat" | "instruction" | "preference";
                /**
                 * @description Hyperparameters by name, as in `Hyperparams`.
                 * @example {
                 *       "n_epochs": 3,
                 *       "learning_rate": 0.0001
                 *     }
                 */
                hyperparams: {
                    [key: string]: unknown;
                };
            } | null;
        };
        LintReport: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Rows of the dataset.
             * @example 250
             */
            row_count: number;
            /**
             * @description Index of the first row that was checked, from 0.
             * @example 0
             */
            first_row: number;
            /**
             * @description Rows that were checked.
             * @example 250
             */
            checked_rows: number;
            /** @description Send it as `first_row` to check the following rows; null when all rows are checked. */
            next_row: number | null;
            /**
             * @description Rows in which each check found something, by check.
             * @example {
             *       "completion_empty": 1
             *     }
             */
            counts: {
                [key: string]: number;
            };
            /** @description Findings, at most 1,000. */
            findings: {
                /**
                 * @description Index of the row, from 0.
                 * @example 12
                 */
                row: number;
                /**
                 * @description Check that found something.
                 * @enum {string}
                 */
                check: "completion_empty" | "completion_degenerate" | "contaminated" | "arithmetic_wrong" | "code_unparsable" | "answer_invalid" | "personal_data" | "near_duplicate";
                /**
                 * @description What it found. Never repeats personal data.
                 * @example The completion has no text.
                 */
                message: string;
                /** @description Index of the row that this one repeats; absent for other checks. */
                similar_to_row?: number;
            }[];
            /**
             * @description Findings that are counted and not listed.
             * @example 0
             */
            omitted_findings: number;
        };
        ExpansionStarted: {
            /** @description Id of the new dataset; null for an estimate. */
            dataset_id: string | null;
            /** @description Status of the new dataset; null for an estimate. */
            status: ("pending" | "running" | "awaiting_input" | "succeeded" | "failed") | null;
            /**
             * @description Credits that the run reserves; 0 when the idempotency key was used before.
             * @example 2
             */
            estimated_credits_consumed: number;
            /** @description True when nothing was created. */
            estimate: boolean;
            /**
             * @description Rows that are added; 0 when the idempotency key was used before.
             * @example 125
             */
            estimated_new_rows: number;
        };
        PilotList: {
            /** @description Pilots of the dataset, newest first, at most 40; their arms without settings. */
            items: components["schemas"]["Pilot"][];
        };
        Pilot: {
            /**
             * @description Id of the pilot.
             * @example b7e2d4c6-3a91-4f08-8c5d-2e6f7a9b1c30
             */
            pilot_id: string;
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Status of the pilot.
             * @example succeeded
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed";
            /**
             * @description Rows that each arm adapts.
             * @example 30
             */
            sample_rows: number;
            /** @description How far the pilot is. */
            progress: {
                /**
                 * @description Rows that are adapted, over all arms.
                 * @example 30
                 */
                rows_done: number;
                /**
                 * @description Rows to adapt, over all arms.
                 * @example 30
                 */
                rows_total: number;
            };
            /** @description Which columns hold what. */
            column_mapping: components["schemas"]["ColumnMapping"];
            /** @description The arms, in the order of the request. */
            arms: components["schemas"]["PilotArmResult"][];
            /** @description Null until the pilot has succeeded. */
            recommendation: components["schemas"]["PilotRecommendation"] | null;
            /** @description Who compares the answers; null before any are compared. */
            judge: {
                /** @description The model that compares answers; null without one. */
                model: string | null;
                /**
                 * @description Kinds of pairs for which it is believed; where it is not, only the checks decide.
                 * @example [
                 *       "number",
                 *       "form"
                 *     ]
                 */
                believed_for: string[];
            } | null;
            /**
             * @description Credits that the pilot reserved.
             * @example 1
             */
            credits_reserved: number;
            /** @description Credits that were charged; null while the pilot is active. */
            credits_charged: number | null;
            /** @description Why it failed; null unless it failed. */
            error: {
                /** @description What went wrong and what to do about it. */
                message: string;
                /** @description Stable code. Those of errors are listed in `Problem.code`. */
                code: string;
                /**
                 * @description `error` when the work failed; `warning` when it was done and something is to be known of it.
                 * @enum {string}
                 */
                level: "error" | "warning";
            } | null;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description Time at which it ended, ISO 8601 in UTC; null while it is active. */
            ended_at: string | null;
        };
        PilotArmResult: {
            /**
             * @description Number of the arm, from 1 in the order of the request.
             * @example 1
             */
            arm: number;
            /**
             * @description Name of the arm.
             * @example Concise
             */
            name: string;
            /** @description Which steps the adaptation takes. */
            recipe_specification?: {
                /** @description Reserved: stored and not read. Omit it. */
                version?: string;
                /** @description Steps to switch on or off. Omitted steps use their defaults. */
                recipes?: {
                    /** @description Whether prompts are rephrased when that improves them. Default: true when `prompt` is mapped, false otherwise. */
                    prompt_rephrase?: boolean;
                    /**
                     * @description Whether rows that repeat an earlier row are dropped. Dropped rows are not billed. Default: false.
                     * @example true
                     */
                    deduplication?: boolean;
                    /** @description Whether a column `reasoning_trace` with the steps to each completion is written. Default: false. */
                    reasoning_traces?: boolean;
                    /**
                     * @description What is done about answers that look right and may be wrong. Left out: code in rows is run on the examples that the rows bring, and rows are compared with each other; no model is asked, nothing is changed, and a row that is probably wrong has a `doubt` and a note `doubtful_answer`. `flag`, `correct` and `drop` also ask the judge model, which answers each request without seeing its answer, and is believed as far as it was right on questions whose answers are known. With `flag` the download has the columns `doubt` and `doubt_reasons`. `correct` also replaces an answer that is wrong with a probability of 0.9 and whose error the judge quotes; on rows that are harder than those questions it may spoil right ones, so try `flag` first. `drop` leaves out the rows that are rather wrong than right (a probability from 0.5 on); dropped rows are not billed. `off`: nobody looks.
                     * @enum {string}
                     */
                    verification?: "off" | "flag" | "correct" | "drop";
                    /** @description With `verification` `flag`, `correct` or `drop`: the most rows that the model is asked about, 1 to 1,000,000. Rows that are doubted without a model come first, the most probably wrong ones before the others, then a random sample. Default: all rows. */
                    verification_rows?: number;
                    /** @description Drops the rows in which one of the named checks finds something. Dropped rows are not billed. */
                    lint?: {
                        /** @description Checks; a row in which one of them finds something is dropped. */
                        drop: ("completion_empty" | "completion_degenerate" | "contaminated" | "arithmetic_wrong" | "code_unparsable" | "answer_invalid" | "personal_data")[];
                        /** @description Texts of benchmarks, 1 to 10,000 of up to 20,000 characters each. Rows must not share 13 words in a row with them. */
                        benchmarks?: string[];
                        /** @description JSON Schema that every completion has to satisfy. */
                        answer_schema?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description Controls for the wording of generated text. */
            brand_controls?: {
                /**
                 * @description Length of answers in words: `minimal` 3 to 25, `concise` 26 to 70, `detailed` 71 to 180, `extensive` 181 to 450.
                 * @example concise
                 * @enum {string}
                 */
                length?: "minimal" | "concise" | "detailed" | "extensive";
                /** @description Any non-empty list scores every row in all five categories, in the columns `prompt_safety_issues` and `response_safety_issues`. A text that was not scored has null scores and the reason in `not_scored`. Rows are annotated, never removed; `/run` besides drops rows whose completion violates a named category or was not scored, and empties generated completions that do or were not. */
                safety_categories?: ("violence" | "self_harm" | "harassment" | "hate" | "sexual")[];
                /** @description Whether answers are grounded in a web search. Default: false. */
                hallucination_mitigation?: boolean;
                /** @description System prompt for every generated completion, 1 to 20,000 characters. */
                blueprint?: string;
            };
            /**
             * @description `instruction_dataset` (default) writes prompts and completions; `preference_pairs` also writes the columns `chosen` and `rejected`.
             * @enum {string}
             */
            training_type?: "instruction_dataset" | "preference_pairs";
            /**
             * @description `interrupted`: the pilot ended before the arm was done.
             * @example finished
             * @enum {string}
             */
            status: "running" | "finished" | "interrupted";
            /** @description What became of the rows of the sample. */
            rows: {
                /**
                 * @description Rows with an outcome.
                 * @example 30
                 */
                done: number;
                /**
                 * @description Rows that the arm changed.
                 * @example 21
                 */
                changed: number;
                /**
                 * @description Rows that the arm left as they were.
                 * @example 9
                 */
                kept: number;
                /**
                 * @description Rows that a check of the recipe drops.
                 * @example 0
                 */
                dropped: number;
                /**
                 * @description Rows that could not be adapted; they cost nothing.
                 * @example 0
                 */
                failed: number;
            };
            /** @description The answers of the arm against the original ones; null before they are compared, and where there are no originals. */
            against_original: components["schemas"]["PilotWinRate"] | null;
            /**
             * @description Rows that got worse, estimated as in an evaluation; null where nothing is to compare.
             * @example {
             *       "rows": 1.2,
             *       "share": 0.04,
             *       "interval": [
             *         0.004,
             *         0.176
             *       ]
             *     }
             */
            harm: {
                /** @description Expected rows of the sample that got worse. */
                rows: number;
                /** @description Their share, 0 to 1. */
                share: number;
                /** @description 95 % interval of the share. */
                interval: [
                    number,
                    number
                ];
            } | null;
            /**
             * @description Length of the answers, in characters.
             * @example {
             *       "before": 118,
             *       "after": 41
             *     }
             */
            characters: {
                /** @description Median length of the original answers; null without one. */
                before: number | null;
                /** @description Median length of the answers of the arm; null without one. */
                after: number | null;
            };
            /** @description What adapting the sample took; comparisons are not in it. */
            tokens: {
                /**
                 * @description Tokens that models read.
                 * @example 8410
                 */
                input: number;
                /**
                 * @description Tokens that models wrote.
                 * @example 2130
                 */
                output: number;
                /**
                 * @description Calls of models.
                 * @example 52
                 */
                calls: number;
            };
            /**
             * @description What the adaptation of all rows by this arm takes.
             * @example {
             *       "credits": 3,
             *       "minutes": 1.4,
             *       "tokens": 77300
             *     }
             */
            whole_dataset: {
                /** @description Credits for the rows that a run of the arm does not take over, without rows in other languages. */
                credits: number;
                /** @description Expected minutes; null before a row is done. */
                minutes: number | null;
                /** @description Expected tokens; null before a row is done. */
                tokens: number | null;
            };
        };
        PilotWinRate: {
            /**
             * @description Rows that were compared.
             * @example 30
             */
            rows: number;
            /**
             * @description Rows in which the answer is better than the original.
             * @example 18
             */
            better: number;
            /**
             * @description Rows in which the answer is worse than the original.
             * @example 1
             */
            worse: number;
            /**
             * @description Rows whose answers are the same, or that the arm left as they were. Failed and dropped rows are not compared.
             * @example 9
             */
            same: number;
            /**
             * @description Rows whose answers differ and of which neither the checks nor a believed judge can say which is better.
             * @example 2
             */
            undecided: number;
            /**
             * @description Better rows among the better and worse ones, corrected for the known errors of checks and judge; null without a decided row.
             * @example 0.947
             */
            win_rate: number | null;
            /**
             * @description Interval of the win rate (Wilson), so wide that the intervals of all arms hold the true win rates together with a probability of 95 %; null without a decided row.
             * @example [
             *       0.692,
             *       0.993
             *     ]
             */
            interval: [
                number,
                number
            ] | null;
        };
        PilotRecommendation: {
            /**
             * @description The arm to run; null if no arm is shown to be better than doing nothing.
             * @example 1
             */
            arm: number | null;
            /**
             * @description `better_than_original`: the arm beats the originals, with the largest net benefit of those that do. `nothing_shown`: no arm is shown to beat the originals.
             * @example better_than_original
             * @enum {string}
             */
            certainty: "better_than_original" | "nothing_shown";
            /**
             * @description What the recommendation rests on, in sentences.
             * @example "Concise" is better in 18 of 19 rows that differ.
             */
            reason: string;
        };
        PilotLaunch: {
            /** @description Id of the pilot; null for an estimate. */
            pilot_id: string | null;
            /** @description True when nothing was started. */
            estimate: boolean;
            /**
             * @description Rows that each arm adapts.
             * @example 30
             */
            sample_rows: number;
            /** @description The arms, as they are compared, without their blueprints. */
            arms: {
                /**
                 * @description Name of the arm, 1 to 60 characters. Default: "Arm" and its number.
                 * @example Concise
                 */
                name: string;
                /** @description Which steps the adaptation takes. */
                recipe_specification?: {
                    /** @description Reserved: stored and not read. Omit it. */
                    version?: string;
                    /** @description Steps to switch on or off. Omitted steps use their defaults. */
                    recipes?: {
                        /** @description Whether prompts are rephrased when that improves them. Default: true when `prompt` is mapped, false otherwise. */
                        prompt_rephrase?: boolean;
                        /**
                         * @description Whether rows that repeat an earlier row are dropped. Dropped rows are not billed. Default: false.
                         * @example true
                         */
                        deduplication?: boolean;
                        /** @description Whether a column `reasoning_trace` with the steps to each completion is written. Default: false. */
                        reasoning_traces?: boolean;
                        /**
                         * @description What is done about answers that look right and may be wrong. Left out: code in rows is run on the examples that the rows bring, and rows are compared with each other; no model is asked, nothing is changed, and a row that is probably wrong has a `doubt` and a note `doubtful_answer`. `flag`, `correct` and `drop` also ask the judge model, which answers each request without seeing its answer, and is believed as far as it was right on questions whose answers are known. With `flag` the download has the columns `doubt` and `doubt_reasons`. `correct` also replaces an answer that is wrong with a probability of 0.9 and whose error the judge quotes; on rows that are harder than those questions it may spoil right ones, so try `flag` first. `drop` leaves out the rows that are rather wrong than right (a probability from 0.5 on); dropped rows are not billed. `off`: nobody looks.
                         * @enum {string}
                         */
                        verification?: "off" | "flag" | "correct" | "drop";
                        /** @description With `verification` `flag`, `correct` or `drop`: the most rows that the model is asked about, 1 to 1,000,000. Rows that are doubted without a model come first, the most probably wrong ones before the others, then a random sample. Default: all rows. */
                        verification_rows?: number;
                        /** @description Drops the rows in which one of the named checks finds something. Dropped rows are not billed. */
                        lint?: {
                            /** @description Checks; a row in which one of them finds something is dropped. */
                            drop: ("completion_empty" | "completion_degenerate" | "contaminated" | "arithmetic_wrong" | "code_unparsable" | "answer_invalid" | "personal_data")[];
                            /** @description Texts of benchmarks, 1 to 10,000 of up to 20,000 characters each. Rows must not share 13 words in a row with them. */
                            benchmarks?: string[];
                            /** @description JSON Schema that every completion has to satisfy. */
                            answer_schema?: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
                /** @description Controls for the wording of generated text. */
                brand_controls?: {
                    /**
                     * @description Length of answers in words: `minimal` 3 to 25, `concise` 26 to 70, `detailed` 71 to 180, `extensive` 181 to 450.
                     * @example concise
                     * @enum {string}
                     */
                    length?: "minimal" | "concise" | "detailed" | "extensive";
                    /** @description Any non-empty list scores every row in all five categories, in the columns `prompt_safety_issues` and `response_safety_issues`. A text that was not scored has null scores and the reason in `not_scored`. Rows are annotated, never removed; `/run` besides drops rows whose completion violates a named category or was not scored, and empties generated completions that do or were not. */
                    safety_categories?: ("violence" | "self_harm" | "harassment" | "hate" | "sexual")[];
                    /** @description Whether answers are grounded in a web search. Default: false. */
                    hallucination_mitigation?: boolean;
                    /** @description System prompt for every generated completion, 1 to 20,000 characters. */
                    blueprint?: string;
                };
                /**
                 * @description `instruction_dataset` (default) writes prompts and completions; `preference_pairs` also writes the columns `chosen` and `rejected`.
                 * @enum {string}
                 */
                training_type?: "instruction_dataset" | "preference_pairs";
            }[];
            /**
             * @description Credits that the pilot reserves: rows × arms. At the end only delivered rows are charged.
             * @example 1
             */
            estimated_credits: number;
            /**
             * @description Expected duration, in minutes.
             * @example 0.8
             */
            estimated_minutes: number;
            /**
             * @description What to know of the pilot, one sentence each.
             * @example []
             */
            notes: string[];
        };
        PilotRowsPage: {
            /** @description Rows of the sample, in the order in which the arms take them. */
            items: components["schemas"]["PilotRow"][];
            /**
             * @description Rows of the sample; 0 before it is drawn.
             * @example 30
             */
            total: number;
        };
        PilotRow: {
            /**
             * @description Index of the row in the dataset, from 0.
             * @example 12
             */
            row: number;
            /**
             * @description What the answers are held against: the prompt with its context; null where no arm has answered.
             * @example {
             *       "text": "how do i descale a kettle",
             *       "truncated": false
             *     }
             */
            request: {
                /**
                 * @description The text, up to its first 800 characters.
                 * @example Use vinegar.
                 */
                text: string;
                /**
                 * @description True if this is only the beginning of the text.
                 * @example false
                 */
                truncated: boolean;
            } | null;
            /** @description The answer that the row has; null without one. */
            original: {
                /**
                 * @description The text, up to its first 800 characters.
                 * @example Use vinegar.
                 */
                text: string;
                /**
                 * @description True if this is only the beginning of the text.
                 * @example false
                 */
                truncated: boolean;
            } | null;
            /** @description The answers, by arm; an arm that has not done the row is not among them. */
            answers: {
                /**
                 * @description Number of the arm.
                 * @example 1
                 */
                arm: number;
                /**
                 * @description What the arm did with the row.
                 * @enum {string}
                 */
                outcome: "changed" | "kept" | "dropped" | "failed";
                /** @description Stable code of the reason; null for a changed row. */
                code: string | null;
                /** @description The reason as a sentence; null for a changed row. */
                message: string | null;
                /**
                 * @description The answer of the arm; null where it has none.
                 * @example {
                 *       "text": "Boil water and vinegar in it, and rinse it.",
                 *       "truncated": false
                 *     }
                 */
                answer: {
                    /**
                     * @description The text, up to its first 800 characters.
                     * @example Use vinegar.
                     */
                    text: string;
                    /**
                     * @description True if this is only the beginning of the text.
                     * @example false
                     */
                    truncated: boolean;
                } | null;
                /**
                 * @description The answer against the original; null before they are compared.
                 * @example better
                 */
                verdict: ("better" | "worse" | "same" | "undecided") | null;
            }[];
        };
        RunReport: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /**
             * @description Id of the run.
             * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93
             */
            run_id: string;
            /**
             * @description Status of the run.
             * @example succeeded
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description Time of the start, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            started_at: string;
            /** @description Time of the end, ISO 8601 in UTC; null while the run is active. */
            ended_at: string | null;
            /** @description Why the run failed; null unless it failed. */
            error_data: {
                /** @description What went wrong and what to do about it. */
                message: string;
                /** @description Stable code. Those of errors are listed in `Problem.code`. */
                code: string;
                /**
                 * @description `error` when the work failed; `warning` when it was done and something is to be known of it.
                 * @enum {string}
                 */
                level: "error" | "warning";
            } | null;
            /**
             * @description What was read differently, or left out, when the file of the dataset was read.
             * @example []
             */
            warnings: {
                /** @description Stable code of the warning. */
                code: string;
                /** @description What was read differently, or left out. */
                message: string;
            }[];
            /** @description Null until the rows have been counted */
            rows: components["schemas"]["RowCounts"] | null;
            /** @description Delivered rows that are unchanged since an earlier run, for which no model was asked and nothing is billed; absent until the rows are counted. */
            reused_rows?: number;
            /** @description Stages of the run in their order. */
            stages: {
                /**
                 * @description Name of the stage.
                 * @example adapt
                 */
                name: string;
                /**
                 * @description Rows that came in.
                 * @example 250
                 */
                rows_in: number;
                /**
                 * @description Rows that went out.
                 * @example 247
                 */
                rows_out: number;
                /** @description Time of the start, ISO 8601 in UTC; null when it is not known. */
                started_at: string | null;
                /** @description Time of the end, ISO 8601 in UTC; null when it is not known. */
                ended_at: string | null;
            }[];
            /** @description What the models used; null until the rows are counted. */
            tokens: {
                /**
                 * @description Tokens that the models read.
                 * @example 91204
                 */
                input: number;
                /**
                 * @description Tokens that the models wrote.
                 * @example 12880
                 */
                output: number;
                /**
                 * @description Requests to models.
                 * @example 402
                 */
                calls: number;
            } | null;
            /** @description The part of `tokens` that batch jobs answered, for which providers ask half the price; absent of a run without batch jobs, and until the rows are counted. */
            batched?: {
                /** @description Tokens that the models read in batch jobs. */
                input: number;
                /** @description Tokens that the models wrote in batch jobs. */
                output: number;
                /** @description Requests that batch jobs answered. */
                calls: number;
            };
            /** @description What was done to changed completions, by kind and evidence: mended by the smallest edit, completed, translated, put into the demanded form, corrected, rewritten, or written where there was none */
            edits: components["schemas"]["EditCount"][];
            /**
             * @description Rows by who scored their safety; empty where no category was asked for
             * @example {}
             */
            safety_scorers: {
                [key: string]: number;
            };
            /** @description Which rows are probably wrong; absent with `verification` `off`, for rows without completions, and until the rows are counted. */
            doubts?: components["schemas"]["DoubtCounts"];
            /** @description Of an invented dataset, once its rows are there */
            invention: components["schemas"]["Invention"] | null;
            /** @description Credits of the run. */
            credits: {
                /**
                 * @description Credits reserved at the start.
                 * @example 3
                 */
                reserved: number;
                /** @description Credits charged at the end; null while the run is active. */
                settled: number | null;
            };
            /**
             * @description Model ids by role.
             * @example {
             *       "answer": "qwen3-4b",
             *       "judge": "qwen3-4b"
             *     }
             */
            models: {
                [key: string]: string;
            };
            /**
             * @description What requests to models left out because a model does not take it, by model id: `schema` (JSON was asked for in words), `temperature`, `seed`, `prompt_cache`. Empty where nothing was.
             * @example {}
             */
            left_out: {
                [key: string]: ("schema" | "temperature" | "seed" | "prompt_cache")[];
            };
            /**
             * @description Versions of the prompts of the service, by name.
             * @example {
             *       "answer": "7"
             *     }
             */
            prompt_versions: {
                [key: string]: string;
            };
            /** @description Rows of this page: those that were not changed, with the reason, and changed rows with a note. */
            reported_rows: components["schemas"]["ReportRow"][];
            /** @description Pass it as `cursor` to get the next page; null on the last page. */
            next_cursor: string | null;
        };
        RowCounts: {
            /**
             * @description Rows of the source.
             * @example 250
             */
            total: number;
            /**
             * @description Rows whose prompt or completion was changed; `edits` counts the changed completions.
             * @example 61
             */
            changed: number;
            /**
             * @description Rows that stay as they were.
             * @example 186
             */
            kept: number;
            /**
             * @description Rows that were dropped; they are not billed.
             * @example 3
             */
            dropped: number;
            /**
             * @description Rows that could not be processed; they are not billed.
             * @example 0
             */
            failed: number;
            /**
             * @description Rows that `max_rows` left out.
             * @example 0
             */
            not_selected: number;
            /**
             * @description Rows added in other languages
             * @example 0
             */
            expanded: number;
            /**
             * @description Rows that were to be added, and were not
             * @example 0
             */
            expansion_failed: number;
        };
        EditCount: {
            /**
             * @description What was done to the completions.
             * @example completed
             * @enum {string}
             */
            kind: "mended" | "completed" | "translated" | "reformatted" | "corrected" | "rewritten" | "written" | "reviewed";
            /**
             * @description Why the changes were accepted.
             * @example checked
             * @enum {string}
             */
            evidence: "computed" | "checked" | "consistent" | "judged" | "reviewed";
            /**
             * @description Rows with this kind of edit and evidence.
             * @example 24
             */
            rows: number;
            /**
             * @description Mean share of the words of the original that stayed, 0 to 1.
             * @example 0.93
             */
            words_kept: number;
        };
        DoubtCounts: {
            /**
             * @description Delivered rows with a `doubt`.
             * @example 14
             */
            doubted: number;
            /**
             * @description Those of them that are wrong with a probability of 0.5 at least. Each has a note `doubtful_answer`.
             * @example 9
             */
            doubtful: number;
            /** @description Share of wrong rows before the run, as far as it shows without a model; null where nothing wrong was seen. */
            share_wrong: number | null;
            /** @description Rows that were looked at without a model. */
            looked_at: {
                /**
                 * @description Rows whose code was run.
                 * @example 0
                 */
                execution: number;
                /**
                 * @description Rows that were compared with the other rows.
                 * @example 250
                 */
                neighbours: number;
            };
            /**
             * @description Rows of the run that nobody looked at without a model: it has no embedding model, they are beyond the sample of 5,000, the time was over, or they hold no prompt and answer.
             * @example 0
             */
            not_looked_at: number;
            /** @description Rows that the model was not asked about because of `verification_rows`; absent without it. */
            not_asked?: number;
        };
        Invention: {
            /** @description Rows that were requested. */
            requested: number;
            /** @description Rows that the dataset has. */
            accepted: number;
            /** @description Rows that were written and judged */
            candidates: number;
            /** @description More are not written for so many rows */
            candidates_max: number;
            /** @description Score of 0 to 10 from which a row is accepted */
            score_min: number;
            /**
             * @description All rows are there, the candidates are used up, or the run was stopped
             * @enum {string}
             */
            ended_by: "rows" | "candidates" | "stop";
            /** @description How different the rows are; null when there are no rows. */
            diversity: components["schemas"]["Diversity"] | null;
        };
        Diversity: {
            /** @description Rows that were measured. */
            sampled_rows: number;
            /** @description Different words among all words */
            distinct_1: number;
            /** @description The same of pairs of words */
            distinct_2: number;
            /** @description The same of three words in a row */
            distinct_3: number;
            /** @description Mean Jaccard similarity of the word sets of each prompt and its nearest other one */
            self_similarity: number;
            /** @description Subdomains that were asked for */
            subdomains: number;
            /** @description Those of them that have a row */
            covered_subdomains: number;
            /** @description Share of the requested subdomains that have a row, 0 to 1. */
            coverage: number;
        };
        ReportRow: {
            /**
             * @description Index of the row in the source, from 0.
             * @example 17
             */
            row: number;
            /**
             * @description What happened to the row.
             * @enum {string}
             */
            outcome: "changed" | "kept" | "dropped" | "failed" | "not_selected" | "expanded" | "expansion_failed";
            /**
             * @description Stable code of the reason.
             * @example length_missed
             */
            code: string;
            /**
             * @description The reason as a sentence.
             * @example The completion has 82 words, wanted 26 to 70.
             */
            message: string;
            /** @description Index of the row that a dropped row repeats; null otherwise. */
            similar_to_row: number | null;
            /**
             * @description Of a row that was to be added in another language, and is made of `row`
             * @default null
             */
            target: components["schemas"]["ExpansionTarget"] | null;
            /**
             * @description Pages on which the answer rests; empty without a search
             * @example []
             */
            sources: components["schemas"]["Source"][];
        };
        Source: {
            /** @description Title of the page. */
            title: string;
            /** @description Address of the page. */
            url: string;
        };
        Review: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /** @description The run whose rows these are; null for the rows as they came. */
            run_id: string | null;
            /**
             * @description Version of the dataset that these rows are of.
             * @example 2
             */
            version: number;
            /** @description Rows without a verdict, those that are most worth a look first; every third is drawn at random. An answer of 1 MiB ends early. */
            rows: components["schemas"]["ReviewRow"][];
            /**
             * @description Rows that are worth looking at and have no verdict: doubtful ones, and as many drawn at random as are missing to 30.
             * @example 23
             */
            worth_a_look: number;
            /** @description Rows with verdicts, by what their reviewers say together. */
            verdicts: components["schemas"]["VerdictCounts"];
            /** @description How often each witness is right on this dataset, by the verdicts on rows that it doubted. */
            witnesses: components["schemas"]["WitnessRecord"][];
            /** @description The grade of all rows, from verdicts and witnesses together; null while neither says anything. */
            grade: components["schemas"]["ReviewGrade"] | null;
        };
        ReviewRow: {
            /**
             * @description Number of the row, from 0.
             * @example 17
             */
            row: number;
            /**
             * @description Hash of prompt and completion as shown here. Send it with the verdict.
             * @example 5f2b6c1d9a3e4f708192a3b4c5d6e7f8
             */
            content_hash: string;
            /** @description Prompt of the row; null without one. */
            prompt: string | null;
            /** @description The completion that the row came with; null without one. */
            original: string | null;
            /** @description The completion that the version has; null without one. */
            completion: string | null;
            /**
             * @description The completion that a witness proposes; null without one.
             * @example Open Settings, then Security, and choose "Reset password".
             */
            proposal: string | null;
            /** @description What the witnesses say of the row; null where they say nothing. Its probability is corrected by the verdicts on other rows that the same witness doubted for the same. */
            doubt: components["schemas"]["Doubt"] | null;
            /**
             * @description `doubtful`: shown for its doubt. `audit`: drawn at random among the other rows, so that verdicts tell of all rows. Send it with the verdict.
             * @example doubtful
             * @enum {string}
             */
            drawn_as: "doubtful" | "audit";
        };
        Doubt: {
            /**
             * @description How probable it is that the answer of the row is wrong, 0 to 1.
             * @example 0.94
             */
            probability: number;
            /** @description What was seen, each by one witness. */
            reasons: {
                /**
                 * @description Who doubts: its code was run (`execution`), it was compared with the other rows (`neighbours`), or a model answered the request without seeing the answer (`model`).
                 * @example execution
                 * @enum {string}
                 */
                witness: "execution" | "neighbours" | "model";
                /**
                 * @description Stable code of what was seen.
                 * @example example_failed
                 */
                kind: string;
                /**
                 * @description What was seen, as a sentence.
                 * @example The example “f(2) == 3” yields “2”, not “3”.
                 */
                message: string;
            }[];
            /** @description A better answer, where one is known. It is not in the place of the row's own. */
            proposal?: string;
        };
        VerdictCounts: {
            /**
             * @description Rows that are right; mended ones whose text was applied are among them.
             * @example 41
             */
            right: number;
            /**
             * @description Rows that are wrong, and have no other text yet.
             * @example 4
             */
            wrong: number;
            /**
             * @description Rows that have another text, which was not applied yet.
             * @example 12
             */
            mended: number;
            /**
             * @description Rows of which reviewers say different things.
             * @example 1
             */
            disputed: number;
            /**
             * @description Rows that have changed since all of their verdicts.
             * @example 2
             */
            stale: number;
        };
        WitnessRecord: {
            /**
             * @description Who doubted the rows.
             * @example neighbours
             * @enum {string}
             */
            witness: "execution" | "neighbours" | "model";
            /**
             * @description What it doubted them for, as in the reasons of a doubt; null for a model.
             * @example label_contradicted
             */
            kind: string | null;
            /**
             * @description Rows with verdicts that it doubted for this.
             * @example 24
             */
            rows: number;
            /**
             * @description Share of them that are wrong, by their verdicts.
             * @example 0.71
             */
            share_wrong: number;
            /**
             * @description Its 95 % interval (Wilson).
             * @example [
             *       0.51,
             *       0.85
             *     ]
             */
            share_interval: [
                number,
                number
            ];
            /**
             * @description Mean of the probabilities that were stated of them, by measurements on other rows.
             * @example 0.86
             */
            share_stated: number;
        };
        ReviewGrade: {
            /**
             * @description Ten times the share of right rows, 0 to 10.
             * @example 8.6
             */
            score: number;
            /**
             * @description The score as a letter.
             * @example B
             * @enum {string}
             */
            grade: "A" | "B" | "C" | "D" | "E";
            /**
             * @description 95 % interval of the score.
             * @example [
             *       7.9,
             *       9.1
             *     ]
             */
            score_interval: [
                number,
                number
            ];
            /**
             * @description Rows whose verdicts it rests on; 0 while they are so few that the witnesses say more, and do not contradict them.
             * @example 58
             */
            verdicts: number;
            /** @description What the witnesses alone say; null where none has said anything. */
            without_verdicts: {
                /**
                 * @description The score by the witnesses alone, 0 to 10.
                 * @example 9.2
                 */
                score: number;
                /**
                 * @description Its 95 % interval: the witnesses count as much as 20 verdicts.
                 * @example [
                 *       7.9,
                 *       9.1
                 *     ]
                 */
                score_interval: [
                    number,
                    number
                ];
            } | null;
        };
        AlikeRows: {
            /** @description Rows with the same defect, at most 200, the most similar first. */
            rows: components["schemas"]["AlikeRow"][];
            /**
             * @description False if there are more rows than were looked at or are shown: accept some, and ask again.
             * @example true
             */
            is_complete: boolean;
        };
        AlikeRow: {
            /**
             * @description Number of the row, from 0.
             * @example 93
             */
            row: number;
            /**
             * @description Send it with the verdict.
             * @example 5f2b6c1d9a3e4f708192a3b4c5d6e7f8
             */
            content_hash: string;
            /** @description Prompt of the row; null without one. */
            prompt: string | null;
            /**
             * @description What the row has now.
             * @example As an AI model, I think it is under Billing.
             */
            completion: string;
            /**
             * @description What the same edit makes of it. To accept it, send the verdict `mended` with this text.
             * @example It is under Billing.
             */
            proposal: string;
            /**
             * @description `same_label`: it has the label that was exchanged. `same_text`: the text that was removed or replaced occurs in it. `same_doubt`: the same witness says the same of it.
             * @example same_text
             * @enum {string}
             */
            why: "same_label" | "same_text" | "same_doubt";
        };
        RowsPage: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /** @description The adaptation whose rows these are; null for the rows as they came. */
            run_id: string | null;
            /**
             * @description How the adaptation ended; null for the rows as they came.
             * @example succeeded
             */
            status: ("succeeded" | "failed") | null;
            /** @description Columns that are shown: the mapped ones, then others in their order; at most 100 `before`, and all `after`. */
            columns: components["schemas"]["ShownColumn"][];
            /**
             * @description Columns of the source, shown or not.
             * @example 2
             */
            columns_total: number;
            /**
             * @description Rows, with those that the run adds.
             * @example 250
             */
            total: number;
            /**
             * @description Rows that pass every filter; where `next_row` is not null, those before that row.
             * @example 61
             */
            matching: number;
            /**
             * @description Place of the first row of this page among those that match.
             * @example 0
             */
            offset: number;
            /** @description Null if the whole dataset was searched. Else the row before which this request stopped, having read 192 MiB of text or searched for 5 seconds: pass it as `first_row` to search on. */
            next_row: number | null;
            /** @description Rows by value of each property. Each property counts the rows that pass the other filters, so that it shows what another choice would find. */
            facets: components["schemas"]["RowFacets"];
            /** @description The rows of this page in their order, with cells of at most 800 characters. A page of 1 MiB ends early: go on at `offset` plus the number of its rows. */
            rows: components["schemas"]["DatasetRow"][];
        };
        ShownColumn: {
            /**
             * @description Name of the column; of a long one its first 200 characters.
             * @example answer
             */
            name: string;
            /**
             * @description `before`: a column of the source. `after`: a column that the run writes.
             * @enum {string}
             */
            side: "before" | "after";
            /**
             * @description What the column holds. A column `after` with the role `prompt` or `completion` stands in the place of the column `before` with that role.
             * @example completion
             * @enum {string}
             */
            role: "prompt" | "completion" | "chat" | "context" | "image" | "chosen" | "rejected" | "reasoning_trace" | "safety" | "other";
        };
        RowFacets: {
            /** @description Rows by outcome, the most frequent first. */
            outcome: {
                /**
                 * @description A outcome that rows have.
                 * @enum {string}
                 */
                value: "changed" | "kept" | "dropped" | "failed" | "not_selected" | "expanded" | "expansion_failed";
                /**
                 * @description Rows that have it.
                 * @example 61
                 */
                rows: number;
            }[];
            /**
             * @description Rows by code, the most frequent first.
             * @example []
             */
            code: {
                /** @description A code that rows have. */
                value: string;
                /**
                 * @description Rows that have it.
                 * @example 61
                 */
                rows: number;
            }[];
            /** @description Rows by language, the most frequent first. */
            language: {
                /**
                 * @description A language that rows have.
                 * @example en
                 */
                value: string;
                /**
                 * @description Rows that have it.
                 * @example 61
                 */
                rows: number;
            }[];
            /** @description Rows by length change, the most frequent first. */
            length_change: {
                /**
                 * @description A length change that rows have.
                 * @example longer
                 * @enum {string}
                 */
                value: "shorter" | "same" | "longer";
                /**
                 * @description Rows that have it.
                 * @example 61
                 */
                rows: number;
            }[];
        };
        DatasetRow: {
            /**
             * @description Number of the row, from 0. It does not change. Rows that the run adds in other languages come after those of the source.
             * @example 12
             */
            row: number;
            /** @description Of a row that was to be added in another language: the row it is made of; null otherwise. */
            source_row: number | null;
            /** @description Of a row that was to be added in another language: which one; null otherwise. */
            target: components["schemas"]["ExpansionTarget"] | null;
            /**
             * @description What the run did with the row; null for rows without a run.
             * @example changed
             */
            outcome: ("changed" | "kept" | "dropped" | "failed" | "not_selected" | "expanded" | "expansion_failed") | null;
            /** @description Stable code of the reason, of a row that is not changed; null otherwise. */
            code: string | null;
            /** @description The reason as a sentence; null without one. */
            message: string | null;
            /** @description Number of the row that a dropped row repeats; null otherwise. */
            similar_to_row: number | null;
            /** @description Language code of the completion after the run, or else of the text that the row came with; null if it cannot be told. */
            language: string | null;
            /**
             * @description How the completion after the run compares with the one before, in characters; `same` is within 5 percent. Null if either is missing.
             * @example longer
             */
            length_change: ("shorter" | "same" | "longer") | null;
            /** @description What was done to the completion of a changed row; null otherwise. */
            edit: components["schemas"]["AnswerEdit"] | null;
            /** @description Why the answer that the row has after the run is probably wrong; null if nobody doubts it, and for rows without a run. */
            doubt: components["schemas"]["Doubt"] | null;
            /**
             * @description Scores of the evaluation, if the row is in its sample; null otherwise.
             * @example {
             *       "before": 5.2,
             *       "after": 8.1,
             *       "preferred": "after"
             *     }
             */
            score: {
                /** @description Score of the row before, 0 to 10. */
                before: number | null;
                /** @description Score of the row after, 0 to 10. */
                after: number | null;
                /** @description Which of both the judge preferred; null if it did not compare or could not tell. */
                preferred: ("before" | "after") | null;
            } | null;
            /**
             * @description What else is to be known of the row; at most 10.
             * @example []
             */
            notes: {
                /** @description Stable code of the note. */
                code: string;
                /** @description The note as a sentence. */
                message: string;
            }[];
            /**
             * @description Pages on which the answer rests; at most 10.
             * @example []
             */
            sources: components["schemas"]["Source"][];
            /** @description Cells of the source that hold something, in the order of `columns`. */
            before: components["schemas"]["ShownCell"][];
            /**
             * @description Cells that the run wrote for the row; those of a kept row repeat its own text. Null if the run wrote none: for rows that are dropped, failed or not selected, and without a run.
             * @example [
             *       {
             *         "column": "enhanced_completion",
             *         "text": "Open Settings, then Security, and choose \"Reset password\".",
             *         "truncated": false
             *       }
             *     ]
             */
            after: components["schemas"]["ShownCell"][] | null;
        };
        AnswerEdit: {
            /**
             * @description What was done to the completion: writing corrected (`mended`), missing end written (`completed`), put into the language of its prompt (`translated`) or its column's form (`reformatted`), written anew from the original (`rewritten`), or written where there was none (`written`), or by a person (`reviewed`), or a false answer that verification replaced (`corrected`).
             * @example completed
             * @enum {string}
             */
            kind: "mended" | "completed" | "translated" | "reformatted" | "corrected" | "rewritten" | "written" | "reviewed";
            /**
             * @description Why the change was accepted: it passes every check that the original failed (`checked`), the model gives it repeatedly (`consistent`), a calibrated judge preferred it (`judged`), or a person said so (`reviewed`). Runs of earlier versions also computed answers (`computed`).
             * @example checked
             * @enum {string}
             */
            evidence: "computed" | "checked" | "consistent" | "judged" | "reviewed";
            /**
             * @description Share of the words of the original that stayed in their order, 0 to 1.
             * @example 1
             */
            words_kept: number;
        };
        RowDetail: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /** @description The adaptation whose rows these are; null for the rows as they came. */
            run_id: string | null;
            /**
             * @description How the adaptation ended; null for the rows as they came.
             * @example succeeded
             */
            status: ("succeeded" | "failed") | null;
            /** @description Columns that are shown: the mapped ones, then others in their order; at most 100 `before`, and all `after`. */
            columns: components["schemas"]["ShownColumn"][];
            /**
             * @description Columns of the source, shown or not.
             * @example 2
             */
            columns_total: number;
            /**
             * @description Rows, with those that the run adds.
             * @example 250
             */
            total: number;
            /** @description The row, with all of its columns. */
            row: components["schemas"]["DatasetRow"];
            /** @description Null if the row is complete. A row that is too long for an answer of 1 MiB has cells of at most 800 characters here; this address, which works for 15 minutes, gives all of `before` and `after` as JSON. */
            url: string | null;
        };
        VerdictsPage: {
            /**
             * @description Id of the dataset.
             * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            dataset_id: string;
            /** @description Verdicts by row and reviewer. A page with much text ends early. */
            verdicts: components["schemas"]["StoredVerdict"][];
            /**
             * @description Pass it as `after` to get the next page; null on the last page.
             * @example 17.ada
             */
            next_after: string | null;
        };
        StoredVerdict: {
            /**
             * @description Number of the row, from 0.
             * @example 17
             */
            row: number;
            /**
             * @description Who said so.
             * @example ada
             */
            reviewer: string;
            /**
             * @description What was said.
             * @example mended
             * @enum {string}
             */
            verdict: "right" | "wrong" | "mended";
            /** @description The text of a mended row; null with other verdicts. */
            completion: string | null;
            /**
             * @description Hash of what the reviewer saw.
             * @example 5f2b6c1d9a3e4f708192a3b4c5d6e7f8
             */
            content_hash: string;
            /**
             * @description `current`: the row is as the reviewer saw it. `applied`: it has the mended text, or it was called wrong and the dataset no longer has it. `stale`: it has changed otherwise since, and the verdict counts for nothing.
             * @example current
             * @enum {string}
             */
            status: "current" | "applied" | "stale";
            /**
             * @description Version of the dataset that was looked at.
             * @example 2
             */
            version: number;
            /**
             * Format: date-time
             * @description Time at which it was recorded, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            recorded_at: string;
        };
        RecordedVerdicts: {
            /**
             * @description Verdicts that were recorded or taken back.
             * @example 1
             */
            recorded: number;
            /**
             * @description Rows that have changed since they were shown, or are no longer delivered. Their verdicts were not recorded: look at them again.
             * @example []
             */
            stale: number[];
            /**
             * @description Rows that are worth looking at and have no verdict: doubtful ones, and as many drawn at random as are missing to 30.
             * @example 23
             */
            worth_a_look: number;
            /** @description Rows with verdicts, by what their reviewers say together. */
            verdicts: components["schemas"]["VerdictCounts"];
            /** @description How often each witness is right on this dataset, by the verdicts on rows that it doubted. */
            witnesses: components["schemas"]["WitnessRecord"][];
            /** @description The grade of all rows, from verdicts and witnesses together; null while neither says anything. */
            grade: components["schemas"]["ReviewGrade"] | null;
        };
        AppliedVerdicts: {
            /**
             * @description Id of the run.
             * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93
             */
            run_id: string;
            /**
             * @description Version of the dataset that the run makes.
             * @example 3
             */
            version: number;
            /**
             * @description Poll the status of the dataset.
             * @example running
             * @constant
             */
            status: "running";
        };
        Version: {
            /**
             * @description Number of the version, from 1.
             * @example 2
             */
            version: number;
            /**
             * @description `awaiting_input`: its rows are there and not adapted. `failed`: the run that was to make it failed. `deleted`: its results were deleted.
             * @example succeeded
             * @enum {string}
             */
            status: "running" | "awaiting_input" | "succeeded" | "failed" | "deleted";
            /**
             * @description What made it: `ingest`, `import`, `append`, `adapt`, `review`, or the run that generated the dataset.
             * @example adapt
             */
            made_by: string;
            /**
             * @description Version whose rows it was made of; null for the first.
             * @example 1
             */
            parent_version: number | null;
            /**
             * @description Run that made it. To download or read its rows, pass `version`, or this as `run_id`.
             * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93
             */
            run_id: string;
            /** @description Pilot whose arm was adapted; null without one. */
            pilot_id: string | null;
            /**
             * @description Source rows of the version.
             * @example 250
             */
            row_count: number;
            /**
             * @description Models by role.
             * @example {
             *       "answer": "qwen3-4b"
             *     }
             */
            models: {
                [key: string]: string;
            };
            /**
             * @description Versions of the prompts, by prompt.
             * @example {
             *       "improve_answer": "v2"
             *     }
             */
            prompt_versions: {
                [key: string]: string;
            };
            /** @description Column mapping of the version; null where none was set. */
            configured_column_mapping: components["schemas"]["ConfiguredColumnMapping"] | null;
            /**
             * Format: uuid
             * @description Id of the user who started what made it.
             * @example 7c9e6679-7425-40de-944b-e07fc1f90ae7
             */
            created_by_user_id: string;
            /**
             * Format: date-time
             * @description Time at which it was begun, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description Time at which its run ended, ISO 8601 in UTC; null until then. */
            ended_at: string | null;
            /**
             * @description Time at which it was deleted, ISO 8601 in UTC; null until then.
             * @example null
             */
            deleted_at: string | null;
        };
        Eval: {
            /**
             * @description Id of the eval.
             * @example eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f
             */
            id: string;
            /**
             * @description Kind of the object.
             * @constant
             */
            object: "eval";
            /**
             * @description Time of creation, in seconds since 1970.
             * @example 1795341600
             */
            created_at: number;
            /**
             * @description Name of the eval.
             * @example Capitals
             */
            name: string;
            /**
             * @description Metadata of the eval; null without any.
             * @example {}
             */
            metadata: {
                [key: string]: string;
            } | null;
            /** @description What the rows of its runs are. */
            data_source_config: {
                /**
                 * @description Kind of the source.
                 * @enum {string}
                 */
                type: "custom" | "logs" | "stored_completions";
                /**
                 * @description JSON Schema of what templates name.
                 * @example {
                 *       "type": "object"
                 *     }
                 */
                schema: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description Graders. */
            testing_criteria: ({
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "string_check";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Template of the text, up to 100,000 characters.
                 * @example {{ sample.output_text }}
                 */
                input: string;
                /**
                 * @description Template of what it is compared with, up to 100,000 characters.
                 * @example {{ item.answer }}
                 */
                reference: string;
                /**
                 * @description Equal, not equal, contains, or contains with letters of any case.
                 * @enum {string}
                 */
                operation: "eq" | "ne" | "like" | "ilike";
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "text_similarity";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Template of the text, up to 100,000 characters.
                 * @example {{ sample.output_text }}
                 */
                input: string;
                /**
                 * @description Template of the reference, up to 100,000 characters.
                 * @example {{ item.answer }}
                 */
                reference: string;
                /**
                 * @description How likeness is measured. `cosine` is not offered.
                 * @enum {string}
                 */
                evaluation_metric: "fuzzy_match" | "bleu" | "gleu" | "meteor" | "rouge_1" | "rouge_2" | "rouge_3" | "rouge_4" | "rouge_5" | "rouge_l";
                /** @description Score from which a row passes. Default: 0.5. */
                pass_threshold?: number;
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "label_model";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Id of a model of `GET /api/v1/models`, or name of a fine-tuned one.
                 * @example qwen3-4b
                 */
                model: string;
                /** @description What the model is asked: 1 to 50 messages with templates. */
                input: {
                    /**
                     * @description Who says it.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant";
                    /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                    content: string | {
                        /**
                         * @description Kind of the part: a text.
                         * @enum {string}
                         */
                        type: "input_text" | "output_text";
                        /**
                         * @description The text, a template of up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        text: string;
                    } | {
                        /**
                         * @description Kind of the part: a text.
                         * @enum {string}
                         */
                        type: "input_text" | "output_text";
                        /**
                         * @description The text, a template of up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        text: string;
                    }[];
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type?: "message";
                }[];
                /** @description The labels, 1 to 100 of up to 200 characters. */
                labels: string[];
                /** @description Labels with which a row passes, 1 to 100 of them. */
                passing_labels: string[];
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "score_model";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Id of a model of `GET /api/v1/models`, or name of a fine-tuned one.
                 * @example qwen3-4b
                 */
                model: string;
                /** @description What the model is asked: 1 to 50 messages with templates. */
                input: {
                    /**
                     * @description Who says it.
                     * @enum {string}
                     */
                    role: "system" | "developer" | "user" | "assistant";
                    /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                    content: string | {
                        /**
                         * @description Kind of the part: a text.
                         * @enum {string}
                         */
                        type: "input_text" | "output_text";
                        /**
                         * @description The text, a template of up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        text: string;
                    } | {
                        /**
                         * @description Kind of the part: a text.
                         * @enum {string}
                         */
                        type: "input_text" | "output_text";
                        /**
                         * @description The text, a template of up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        text: string;
                    }[];
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type?: "message";
                }[];
                /** @description Lowest and highest score. Default: 0 and 1. */
                range?: number[];
                /** @description Score from which a row passes. Default: the middle of the range. */
                pass_threshold?: number | null;
                /** @description How the model answers. */
                sampling_params?: {
                    /** @description Sampling temperature, 0 to 2. */
                    temperature?: number | null;
                    /** @description Nucleus sampling, above 0 and at most 1. */
                    top_p?: number | null;
                    /** @description The most tokens, 1 to 1,000,000. */
                    max_completions_tokens?: number | null;
                    /** @description How much the model reasons. */
                    reasoning_effort?: string | null;
                    /** @description Accepted: models answer without one, so that runs differ. */
                    seed?: number | null;
                } | null;
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "python";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Code with `grade(sample, item)`, which returns a number; up to 100,000 characters.
                 * @example def grade(sample, item):
                 *         return 1.0
                 */
                source: string;
                /** @description Accepted and not read: there is one image. */
                image_tag?: string;
                /** @description Score from which a row passes. Default: 0.5. */
                pass_threshold?: number | null;
            } | {
                /**
                 * @description Kind of the grader.
                 * @constant
                 */
                type: "multi";
                /**
                 * @description Name of the grader, up to 100 characters; other graders have other names.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Graders by the names that the formula has, up to 20.
                 * @example {
                 *       "exact": {
                 *         "type": "string_check",
                 *         "name": "exact",
                 *         "input": "{{ sample.output_text }}",
                 *         "reference": "{{ item.answer }}",
                 *         "operation": "eq"
                 *       }
                 *     }
                 */
                graders: {
                    [key: string]: {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "string_check";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Template of the text, up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        input: string;
                        /**
                         * @description Template of what it is compared with, up to 100,000 characters.
                         * @example {{ item.answer }}
                         */
                        reference: string;
                        /**
                         * @description Equal, not equal, contains, or contains with letters of any case.
                         * @enum {string}
                         */
                        operation: "eq" | "ne" | "like" | "ilike";
                    } | {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "text_similarity";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Template of the text, up to 100,000 characters.
                         * @example {{ sample.output_text }}
                         */
                        input: string;
                        /**
                         * @description Template of the reference, up to 100,000 characters.
                         * @example {{ item.answer }}
                         */
                        reference: string;
                        /**
                         * @description How likeness is measured. `cosine` is not offered.
                         * @enum {string}
                         */
                        evaluation_metric: "fuzzy_match" | "bleu" | "gleu" | "meteor" | "rouge_1" | "rouge_2" | "rouge_3" | "rouge_4" | "rouge_5" | "rouge_l";
                        /** @description Score from which a row passes. Default: 0.5. */
                        pass_threshold?: number;
                    } | {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "label_model";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Id of a model of `GET /api/v1/models`, or name of a fine-tuned one.
                         * @example qwen3-4b
                         */
                        model: string;
                        /** @description What the model is asked: 1 to 50 messages with templates. */
                        input: {
                            /**
                             * @description Who says it.
                             * @enum {string}
                             */
                            role: "system" | "developer" | "user" | "assistant";
                            /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                            content: string | {
                                /**
                                 * @description Kind of the part: a text.
                                 * @enum {string}
                                 */
                                type: "input_text" | "output_text";
                                /**
                                 * @description The text, a template of up to 100,000 characters.
                                 * @example {{ sample.output_text }}
                                 */
                                text: string;
                            } | {
                                /**
                                 * @description Kind of the part: a text.
                                 * @enum {string}
                                 */
                                type: "input_text" | "output_text";
                                /**
                                 * @description The text, a template of up to 100,000 characters.
                                 * @example {{ sample.output_text }}
                                 */
                                text: string;
                            }[];
                            /**
                             * @description Kind of the object.
                             * @constant
                             */
                            type?: "message";
                        }[];
                        /** @description The labels, 1 to 100 of up to 200 characters. */
                        labels: string[];
                        /** @description Labels with which a row passes, 1 to 100 of them. */
                        passing_labels: string[];
                    } | {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "score_model";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Id of a model of `GET /api/v1/models`, or name of a fine-tuned one.
                         * @example qwen3-4b
                         */
                        model: string;
                        /** @description What the model is asked: 1 to 50 messages with templates. */
                        input: {
                            /**
                             * @description Who says it.
                             * @enum {string}
                             */
                            role: "system" | "developer" | "user" | "assistant";
                            /** @description A template of up to 100,000 characters, such as `{{ item.question }}`, or parts with such texts. */
                            content: string | {
                                /**
                                 * @description Kind of the part: a text.
                                 * @enum {string}
                                 */
                                type: "input_text" | "output_text";
                                /**
                                 * @description The text, a template of up to 100,000 characters.
                                 * @example {{ sample.output_text }}
                                 */
                                text: string;
                            } | {
                                /**
                                 * @description Kind of the part: a text.
                                 * @enum {string}
                                 */
                                type: "input_text" | "output_text";
                                /**
                                 * @description The text, a template of up to 100,000 characters.
                                 * @example {{ sample.output_text }}
                                 */
                                text: string;
                            }[];
                            /**
                             * @description Kind of the object.
                             * @constant
                             */
                            type?: "message";
                        }[];
                        /** @description Lowest and highest score. Default: 0 and 1. */
                        range?: number[];
                        /** @description Score from which a row passes. Default: the middle of the range. */
                        pass_threshold?: number | null;
                        /** @description How the model answers. */
                        sampling_params?: {
                            /** @description Sampling temperature, 0 to 2. */
                            temperature?: number | null;
                            /** @description Nucleus sampling, above 0 and at most 1. */
                            top_p?: number | null;
                            /** @description The most tokens, 1 to 1,000,000. */
                            max_completions_tokens?: number | null;
                            /** @description How much the model reasons. */
                            reasoning_effort?: string | null;
                            /** @description Accepted: models answer without one, so that runs differ. */
                            seed?: number | null;
                        } | null;
                    } | {
                        /**
                         * @description Kind of the grader.
                         * @constant
                         */
                        type: "python";
                        /**
                         * @description Name of the grader, up to 100 characters; other graders have other names.
                         * @example matches
                         */
                        name: string;
                        /**
                         * @description Code with `grade(sample, item)`, which returns a number; up to 100,000 characters.
                         * @example def grade(sample, item):
                         *         return 1.0
                         */
                        source: string;
                        /** @description Accepted and not read: there is one image. */
                        image_tag?: string;
                        /** @description Score from which a row passes. Default: 0.5. */
                        pass_threshold?: number | null;
                    };
                };
                /**
                 * @description Formula of their scores, up to 2,000 characters.
                 * @example 0.5 * exact + 0.5
                 */
                calculate_output: string;
                /** @description Score from which a row passes. Default: 0.5. */
                pass_threshold?: number | null;
            })[];
        };
        EvalRun: {
            /**
             * @description Id of the run.
             * @example evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60
             */
            id: string;
            /**
             * @description Kind of the object.
             * @constant
             */
            object: "eval.run";
            /**
             * @description Id of its eval.
             * @example eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f
             */
            eval_id: string;
            /**
             * @description Time of creation, in seconds since 1970.
             * @example 1795341600
             */
            created_at: number;
            /**
             * @description Name of the run.
             * @example Nightly
             */
            name: string;
            /**
             * @description Metadata of the run; null without any.
             * @example {}
             */
            metadata: {
                [key: string]: string;
            } | null;
            /**
             * @description Status of the run.
             * @example completed
             * @enum {string}
             */
            status: "queued" | "in_progress" | "completed" | "canceled" | "failed";
            /**
             * @description Model that answers; empty where none does.
             * @example
             */
            model: string;
            /**
             * @description The source as it was sent; rows of the request are not shown again.
             * @example {
             *       "type": "jsonl",
             *       "source": {
             *         "type": "file_content",
             *         "content": []
             *       }
             *     }
             */
            data_source: {
                /**
                 * @description Kind of the source.
                 * @example jsonl
                 */
                type: string;
            } & {
                [key: string]: unknown;
            };
            /** @description Why the run failed. */
            error: {
                /**
                 * @description Stable code; empty where nothing failed.
                 * @example
                 */
                code: string;
                /**
                 * @description What failed; empty where nothing did.
                 * @example
                 */
                message: string;
            };
            /**
             * @description Path of its output items.
             * @example /api/v1/evals/eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f/runs/evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60/output_items
             */
            report_url: string;
            /** @description Rows by outcome, so far. */
            result_counts: {
                /**
                 * @description Rows.
                 * @example 100
                 */
                total: number;
                /**
                 * @description Rows that pass with each grader.
                 * @example 88
                 */
                passed: number;
                /**
                 * @description Rows that do not.
                 * @example 12
                 */
                failed: number;
                /**
                 * @description Rows that were not answered or graded.
                 * @example 0
                 */
                errored: number;
            };
            /** @description What each grader found; empty until the end. */
            per_testing_criteria_results: components["schemas"]["EvalCriterionResult"][];
            /** @description What models read and wrote; empty until the end. */
            per_model_usage: {
                /**
                 * @description Id of the model.
                 * @example qwen3-4b
                 */
                model_name: string;
                /**
                 * @description Calls.
                 * @example 100
                 */
                invocation_count: number;
                /**
                 * @description Tokens that it read.
                 * @example 4200
                 */
                prompt_tokens: number;
                /**
                 * @description Tokens that it wrote.
                 * @example 900
                 */
                completion_tokens: number;
                /**
                 * @description Those that it had read before.
                 * @example 0
                 */
                cached_tokens: number;
                /**
                 * @description Tokens.
                 * @example 5100
                 */
                total_tokens: number;
            }[];
            /** @description Share of the graded rows that pass; null without any. */
            pass_rate: number | null;
            /**
             * @description 95 % interval of the pass rate (Wilson); null without graded rows.
             * @example [
             *       0.8019,
             *       0.93
             *     ]
             */
            interval: [
                number,
                number
            ] | null;
        };
        EvalCriterionResult: {
            /**
             * @description Name of the grader.
             * @example matches
             */
            testing_criteria: string;
            /**
             * @description Rows that pass.
             * @example 88
             */
            passed: number;
            /**
             * @description Rows that do not.
             * @example 12
             */
            failed: number;
            /**
             * @description Those of them that the grader could not grade.
             * @example 0
             */
            errored: number;
            /** @description Share of the graded rows that pass; null without any. */
            pass_rate: number | null;
            /**
             * @description 95 % interval of the pass rate (Wilson); null without graded rows.
             * @example [
             *       0.8019,
             *       0.93
             *     ]
             */
            interval: [
                number,
                number
            ] | null;
            /**
             * @description Mean score of the graded rows.
             * @example 0.88
             */
            mean_score: number | null;
            /**
             * @description How far the grader agrees with the verdicts of people on the rows of a file; null if there are none, or a model answered.
             * @example null
             */
            judge_error: {
                /** @description Rows that pass, and that people say are wrong. */
                passes_wrong: {
                    /**
                     * @description Rows with that verdict.
                     * @example 40
                     */
                    rows: number;
                    /**
                     * @description Those that the grader sees otherwise.
                     * @example 2
                     */
                    wrong: number;
                    /**
                     * @description 95 % interval of the share (Wilson).
                     * @example [
                     *       0.0138,
                     *       0.1651
                     *     ]
                     */
                    interval: [
                        number,
                        number
                    ];
                };
                /** @description Rows that fail, and that people say are right. */
                fails_right: {
                    /**
                     * @description Rows with that verdict.
                     * @example 40
                     */
                    rows: number;
                    /**
                     * @description Those that the grader sees otherwise.
                     * @example 2
                     */
                    wrong: number;
                    /**
                     * @description 95 % interval of the share (Wilson).
                     * @example [
                     *       0.0138,
                     *       0.1651
                     *     ]
                     */
                    interval: [
                        number,
                        number
                    ];
                };
                /** @description The pass rate, corrected for these errors; null if the grader is no better than chance. */
                corrected_pass_rate: number | null;
            } | null;
            /**
             * @description Output items that decided: of the outcome that is rarer, those nearest to the threshold first, up to 20.
             * @example [
             *       "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0"
             *     ]
             */
            deciding_items: string[];
        };
        EvalOutputItem: {
            /**
             * @description Id of the output item.
             * @example outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0
             */
            id: string;
            /**
             * @description Kind of the object.
             * @constant
             */
            object: "eval.run.output_item";
            /**
             * @description Id of the eval.
             * @example eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f
             */
            eval_id: string;
            /**
             * @description Id of the run.
             * @example evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60
             */
            run_id: string;
            /**
             * @description Time at which it was graded, in seconds since 1970.
             * @example 1795341600
             */
            created_at: number;
            /**
             * @description Whether the row passes with each grader.
             * @enum {string}
             */
            status: "pass" | "fail" | "error";
            /**
             * @description Number of the row, from 0.
             * @example 0
             */
            datasource_item_id: number;
            /**
             * @description The row.
             * @example {
             *       "question": "Capital of France?",
             *       "answer": "Paris"
             *     }
             */
            datasource_item: {
                [key: string]: unknown;
            };
            /** @description What each grader says. */
            results: ({
                /**
                 * @description Name of the grader.
                 * @example matches
                 */
                name: string;
                /**
                 * @description Kind of the grader.
                 * @example string_check
                 */
                type: string;
                /**
                 * @description The score.
                 * @example 1
                 */
                score: number;
                /** @description Whether the row passes. */
                passed: boolean;
                /**
                 * @description Why there is no score; null if there is one.
                 * @example null
                 */
                error: string | null;
                /** @description The label that a model gave. */
                label?: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The answer that was graded. */
            sample: {
                /**
                 * @description Model that answered; empty where none did.
                 * @example qwen3-4b
                 */
                model: string;
                /** @description What it was asked. */
                input: {
                    /**
                     * @description Who says it.
                     * @example user
                     */
                    role: string;
                    /**
                     * @description The text.
                     * @example Capital of France?
                     */
                    content: string;
                }[];
                /** @description What it answered. */
                output: {
                    /**
                     * @description Who says it.
                     * @example user
                     */
                    role: string;
                    /**
                     * @description The text.
                     * @example Capital of France?
                     */
                    content: string;
                }[];
                /**
                 * @description Why the answer ended.
                 * @example stop
                 */
                finish_reason: string;
                /**
                 * @description The most tokens; 0 where that was left open.
                 * @example 0
                 */
                max_completion_tokens: number;
                /**
                 * @description Sampling temperature.
                 * @example 1
                 */
                temperature: number;
                /**
                 * @description Nucleus sampling.
                 * @example 1
                 */
                top_p: number;
                /**
                 * @description Seed of the request; 0 without one.
                 * @example 0
                 */
                seed: number;
                /** @description Tokens. */
                usage: {
                    /**
                     * @description Tokens that it read.
                     * @example 4200
                     */
                    prompt_tokens: number;
                    /**
                     * @description Tokens that it wrote.
                     * @example 900
                     */
                    completion_tokens: number;
                    /**
                     * @description Those that it had read before.
                     * @example 0
                     */
                    cached_tokens: number;
                    /**
                     * @description Tokens.
                     * @example 5100
                     */
                    total_tokens: number;
                };
                /** @description Why there is no answer. */
                error: {
                    /**
                     * @description Stable code; empty where nothing failed.
                     * @example
                     */
                    code: string;
                    /**
                     * @description What failed; empty where nothing did.
                     * @example
                     */
                    message: string;
                };
            };
        };
        EventPage: {
            /** @description Events that the key may read, in the order of the team. */
            events: components["schemas"]["Event"][];
            /**
             * @description Pass it as `after` to continue: at once if `has_more`, else after a while.
             * @example 17
             */
            cursor: string;
            /**
             * @description Whether there are more events already.
             * @example false
             */
            has_more: boolean;
            /**
             * @description Cursor of the newest event of the team: pass it as `after`, or as `Last-Event-ID`, for events from now on.
             * @example 17
             */
            latest_cursor: string;
        };
        /** @description A change of state that callers wait for. */
        Event: {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "dataset.read";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description A file, or an import, was read, or could not be. */
            data: {
                /**
                 * @description Id of the run.
                 * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93
                 */
                run_id: string;
                /**
                 * @description How it ended. What was cancelled has failed with the code `run_cancelled`.
                 * @enum {string}
                 */
                status: "succeeded" | "failed";
                /**
                 * @description Rows of the dataset; null if they could not be read.
                 * @example 250
                 */
                row_count: number | null;
                /** @description Code of the error; null if there was none. The resource has its message. */
                error_code: string | null;
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "run.progressed";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description A run has reached another tenth of its rows; told every minute. */
            data: {
                /**
                 * @description Id of the run.
                 * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93
                 */
                run_id: string;
                /** @description What the run does, such as `adapt`, `expand` or `augment`. */
                kind: string;
                /** @description The tenth of its rows that was reached, in percent; a fast run skips some. */
                percent: number;
                /** @description Rows that are done. */
                processed_rows: number;
                /** @description Rows of the run. */
                total_rows: number;
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "run.ended";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description An adaptation, an append, a combination or a growing run has ended. */
            data: {
                /**
                 * @description Id of the run.
                 * @example a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93
                 */
                run_id: string;
                /** @description What the run did, such as `adapt`, `append`, `combine` or `expand`. */
                kind: string;
                /**
                 * @description How it ended. What was cancelled has failed with the code `run_cancelled`.
                 * @enum {string}
                 */
                status: "succeeded" | "failed";
                /** @description The version that it made; null if it made none. */
                version: number | null;
                /** @description Credits that it was billed. */
                billed_credits: number;
                /** @description Code of the error; null if there was none. The resource has its message. */
                error_code: string | null;
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "pilot.ended";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description A pilot has ended. */
            data: {
                /** @description Id of the pilot. */
                pilot_id: string;
                /**
                 * @description How it ended. What was cancelled has failed with the code `run_cancelled`.
                 * @enum {string}
                 */
                status: "succeeded" | "failed";
                /** @description Credits that it was billed. */
                billed_credits: number;
                /** @description Code of the error; null if there was none. The resource has its message. */
                error_code: string | null;
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "evaluation.ended";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description The evaluation of a run, or a custom one, has ended. */
            data: {
                /** @description The run whose rows were scored. */
                run_id: string;
                /** @description Id of the custom evaluation; null for that of the run. */
                custom_eval_id: string | null;
                /**
                 * @description How it ended; `skipped` where there was nothing to score.
                 * @enum {string}
                 */
                status: "succeeded" | "failed" | "skipped";
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "training.iteration_ended";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description An iteration of a training has ended. */
            data: {
                /** @description Id of the training, or of the comparison. */
                experiment_id: string;
                /**
                 * @description Whether `experiment_id` is a training or a comparison.
                 * @enum {string}
                 */
                kind: "training" | "comparison";
                /** @description Number of the iteration, from 1. */
                iteration: number;
                /** @description Iterations so far that have no result. */
                iterations_failed: number;
                /** @description The best win rate so far; null before the first, and for a comparison. */
                best_win_rate: number | null;
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "training.ended";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description A training, or a comparison, has ended. */
            data: {
                /** @description Id of the training, or of the comparison. */
                experiment_id: string;
                /**
                 * @description Whether `experiment_id` is a training or a comparison.
                 * @enum {string}
                 */
                kind: "training" | "comparison";
                /**
                 * @description How it ended.
                 * @enum {string}
                 */
                status: "succeeded" | "failed" | "cancelled";
                /** @description Iterations that have ended, with a result or without. */
                iterations: number;
                /** @description The best win rate so far; null before the first, and for a comparison. */
                best_win_rate: number | null;
                /** @description Credits that it was billed. */
                billed_credits: number;
                /** @description Code of the error; null if there was none. The resource has its message. */
                error_code: string | null;
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "credits.low";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description What is left of the credits has fallen below a tenth of what was granted. */
            data: {
                /** @description A tenth of all credits that the team was granted. */
                threshold: number;
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "answer.failed";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description A response has failed after its first event, for another reason than that its caller has left. */
            data: {
                /** @description Id of the response. */
                response_id: string;
                /** @description Code of the error, as in the response. */
                error_code: string;
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "webhook.disabled";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description A webhook gets no more events: it has failed for five days, or has answered 410. */
            data: {
                /** @description Id of the webhook. */
                webhook_id: string;
                /**
                 * @description As `disabled_reason` of the webhook.
                 * @enum {string}
                 */
                reason: "failing" | "gone";
            };
        } | {
            /**
             * @description Stable: however often the event is delivered, its id is the same.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            id: string;
            /**
             * @description What has happened.
             * @constant
             */
            type: "webhook.test";
            /**
             * @description Changes when a field goes or changes its meaning. Fields may be added within a version.
             * @constant
             */
            schema_version: 1;
            /**
             * Format: date-time
             * @description When the state was reached, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description The dataset that it is about; null without one. */
            dataset_id: string | null;
            /**
             * @description Number among the events of its dataset, from 1, without gaps; null without a dataset.
             * @example 4
             */
            sequence: number | null;
            /**
             * @description Number among the events of the team: continue after it with `after` or `Last-Event-ID`.
             * @example 17
             */
            position: number;
            /** @description A caller has asked for a test of a webhook. */
            data: {
                /** @description Id of the webhook, which alone gets it. */
                webhook_id: string;
            };
        };
        FineTuningJob: {
            /**
             * @description Id of the job: the digits of the `experiment_id` of its training.
             * @example ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40
             */
            id: string;
            /**
             * @description Kind of the object.
             * @constant
             */
            object: "fine_tuning.job";
            /**
             * @description Time of creation, in seconds since 1970.
             * @example 1795341600
             */
            created_at: number;
            /** @description Time of the end, in seconds since 1970; null until then. */
            finished_at: number | null;
            /**
             * @description Id of the base model.
             * @example Qwen/Qwen3.5-0.8B
             */
            model: string;
            /**
             * @description Name of the trained model, for `model` of chat and responses; null until it is there.
             * @example ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40
             */
            fine_tuned_model: string | null;
            /**
             * @description Id of the organization.
             * @example 1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            organization_id: string;
            /**
             * @description Status of the job.
             * @example succeeded
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description Hyperparameters, as asked for. */
            hyperparameters: {
                /**
                 * @description Passes over the rows.
                 * @example 3
                 */
                n_epochs: "auto" | number;
                /**
                 * @description Rows per optimizer step.
                 * @example auto
                 */
                batch_size: "auto" | number;
                /**
                 * @description Factor of the recommended learning rate.
                 * @example auto
                 */
                learning_rate_multiplier: "auto" | number;
                /** @description Strength of the reference in `dpo`. */
                beta?: "auto" | number;
            };
            /** @description What is optimized, with its settings. */
            method: {
                /**
                 * @description What is optimized.
                 * @enum {string}
                 */
                type: "supervised" | "dpo";
                /** @description Settings of `supervised`. */
                supervised?: {
                    /** @description Hyperparameters. */
                    hyperparameters: {
                        /**
                         * @description Passes over the rows.
                         * @example 3
                         */
                        n_epochs: "auto" | number;
                        /**
                         * @description Rows per optimizer step.
                         * @example auto
                         */
                        batch_size: "auto" | number;
                        /**
                         * @description Factor of the recommended learning rate.
                         * @example auto
                         */
                        learning_rate_multiplier: "auto" | number;
                        /** @description Strength of the reference in `dpo`. */
                        beta?: "auto" | number;
                    };
                };
                /** @description Settings of `dpo`. */
                dpo?: {
                    /** @description Hyperparameters. */
                    hyperparameters: {
                        /**
                         * @description Passes over the rows.
                         * @example 3
                         */
                        n_epochs: "auto" | number;
                        /**
                         * @description Rows per optimizer step.
                         * @example auto
                         */
                        batch_size: "auto" | number;
                        /**
                         * @description Factor of the recommended learning rate.
                         * @example auto
                         */
                        learning_rate_multiplier: "auto" | number;
                        /** @description Strength of the reference in `dpo`. */
                        beta?: "auto" | number;
                    };
                };
            };
            /**
             * @description Id of the training file.
             * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
             */
            training_file: string;
            /** @description Id of the validation file; null without one. */
            validation_file: string | null;
            /**
             * @description Always empty: the events and checkpoints of the job have its metrics.
             * @example []
             */
            result_files: string[];
            /** @description Always null: tokens of a training are not counted. */
            trained_tokens: number | null;
            /**
             * @description Seed of the training.
             * @example 7
             */
            seed: number;
            /** @description Always null. */
            estimated_finish: number | null;
            /**
             * @description Always empty.
             * @example []
             */
            integrations: unknown[];
            /**
             * @description Metadata of the request; null without any.
             * @example {
             *       "team": "support"
             *     }
             */
            metadata: {
                [key: string]: string;
            } | null;
            /**
             * @description Why the job failed; null unless it did.
             * @example null
             */
            error: {
                /**
                 * @description Stable code.
                 * @example training_failed
                 */
                code: string;
                /**
                 * @description Why the job failed.
                 * @example No iteration left a model.
                 */
                message: string;
                /** @description Always null. */
                param: string | null;
            } | null;
            /**
             * @description Share of held-out rows on which the trained model is better than its base; null until it is measured.
             * @example 0.74
             */
            win_rate: number | null;
        };
        FineTuningJobCheckpoint: {
            /**
             * @description Id of the checkpoint.
             * @example ftckpt_8b1c6f0e6d534e589a3b6f2d1c5b7a40_1
             */
            id: string;
            /**
             * @description Kind of the object.
             * @constant
             */
            object: "fine_tuning.job.checkpoint";
            /**
             * @description Creation of the job and its seconds of training, in seconds since 1970.
             * @example 1795341600
             */
            created_at: number;
            /**
             * @description Name of its model. That of the best iteration answers; the others leave their metrics only.
             * @example ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40
             */
            fine_tuned_model_checkpoint: string;
            /**
             * @description Id of the job.
             * @example ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40
             */
            fine_tuning_job_id: string;
            /**
             * @description Optimizer steps of the iteration.
             * @example 90
             */
            step_number: number;
            /** @description Metrics at that step. */
            metrics: {
                /**
                 * @description Optimizer step.
                 * @example 90
                 */
                step: number;
                /**
                 * @description Last loss on training rows.
                 * @example 1.38
                 */
                train_loss?: number;
                /**
                 * @description Last loss on held-out rows.
                 * @example 1.66
                 */
                valid_loss?: number;
                /**
                 * @description The same.
                 * @example 1.66
                 */
                full_valid_loss?: number;
                /**
                 * @description Share of held-out rows on which the model is better than its base.
                 * @example 0.74
                 */
                win_rate?: number;
                /**
                 * @description 95 % interval of the win rate.
                 * @example [
                 *       0.6,
                 *       0.84
                 *     ]
                 */
                interval?: [
                    number,
                    number
                ];
            };
        };
        FineTuningJobEvent: {
            /**
             * @description Id of the event.
             * @example ftevent-8b1c6f0e6d534e589a3b6f2d1c5b7a40-1-sft-90
             */
            id: string;
            /**
             * @description Kind of the object.
             * @constant
             */
            object: "fine_tuning.job.event";
            /**
             * @description Time in seconds since 1970: of a step, the creation of the job and the seconds of training until then.
             * @example 1795341600
             */
            created_at: number;
            /**
             * @description Level of the event.
             * @enum {string}
             */
            level: "info" | "warn" | "error";
            /**
             * @description What happened.
             * @example Iteration 1, step 90/90: training loss=1.38
             */
            message: string;
            /**
             * @description `metrics` has `data`.
             * @example metrics
             * @enum {string}
             */
            type: "message" | "metrics";
            /** @description Metrics; null of a message. */
            data: {
                /**
                 * @description Optimizer step, from 1.
                 * @example 90
                 */
                step: number;
                /**
                 * @description All steps; null if not known.
                 * @example 90
                 */
                total_steps: number | null;
                /**
                 * @description Mean loss on training rows.
                 * @example 1.38
                 */
                train_loss?: number;
                /**
                 * @description Mean loss on held-out rows.
                 * @example 1.66
                 */
                valid_loss?: number;
            } | null;
        };
        Account: {
            /**
             * @description Id of the organization of the key.
             * @example 1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10
             */
            organization_id: string;
            /**
             * @description Id of the team of the key.
             * @example 2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e
             */
            team_id: string;
            /**
             * @description Id of the person or machine that the key was issued to.
             * @example 7c9e6679-7425-40de-944b-e07fc1f90ae7
             */
            user_id: string;
            /**
             * @description Id of the key; it is no secret.
             * @example 6d5e1f2a-3c4b-4d8e-9f6a-7b8c9d0e1f2a
             */
            key_id: string;
            /**
             * @description What the key may do.
             * @example [
             *       "datasets:read",
             *       "datasets:write"
             *     ]
             */
            scopes: ("datasets:read" | "datasets:write" | "training" | "responses" | "webhooks")[];
            /** @description Limits of the team. */
            plan: components["schemas"]["AccountPlan"];
            /** @description Credits of the team. */
            balance: components["schemas"]["AccountBalance"];
            /**
             * @description Release of this installation, as its CHANGELOG.md names it.
             * @example 0.2.0
             */
            release: string;
        };
        AccountPlan: {
            /**
             * @description Name of the plan.
             * @example default
             */
            name: string;
            /**
             * @description Requests of the team in a second.
             * @default 50
             */
            requests_per_second: number;
            /**
             * @description Runs and trainings of the team at once.
             * @default 5
             */
            runs_at_once: number;
            /**
             * @description Rows of one launch; of a pilot, its rows times its arms.
             * @default 1000000
             */
            rows_per_launch: number;
            /**
             * @description Tokens of answers in a minute, sent and received.
             * @default 200000
             */
            response_tokens_per_minute: number;
            /**
             * @description Answers at once.
             * @default 100
             */
            responses_at_once: number;
            /**
             * @description Custom evaluations started in an hour.
             * @default 20
             */
            custom_evals_per_hour: number;
            /**
             * @description Requests to `invent` in an hour whose topics are inferred.
             * @default 60
             */
            topic_inferences_per_hour: number;
            /**
             * @description Runs of datasets, and trainings whose rows are being added, cancelled in an hour.
             * @default 20
             */
            cancellations_per_hour: number;
            /**
             * @description Runs with batch jobs cancelled in an hour.
             * @default 2
             */
            batch_cancellations_per_hour: number;
            /**
             * @description Comparisons started in an hour; estimates are not counted.
             * @default 10
             */
            comparisons_per_hour: number;
            /**
             * @description Merges of datasets started in an hour (`combine`).
             * @default 20
             */
            merges_per_hour: number;
            /**
             * @description Uploads, imports and appends whose rows are read in an hour.
             * @default 2000
             */
            readings_per_hour: number;
            /**
             * @description Requests in an hour that read through rows or verdicts: `/lint`, `/review`, searches in rows, launches of trainings, verdicts.
             * @default 1200
             */
            scans_per_hour: number;
            /**
             * @description Files of downloads built in an hour.
             * @default 500
             */
            builds_per_hour: number;
            /**
             * @description Tokens in an hour that models use for rows which are not billed, such as failed ones; null for no limit.
             * @default 20000000
             */
            unbilled_tokens_per_hour: number | null;
            /**
             * @description Tokens of one run, sent and received; null for no limit.
             * @default null
             */
            tokens_per_run: number | null;
            /**
             * @description Minutes after its launch in which a run may process rows; null for no limit.
             * @default null
             */
            minutes_per_run: number | null;
        };
        AccountBalance: {
            /**
             * @description Credits that the operator has granted, in all.
             * @example 1000
             */
            granted: number;
            /**
             * @description Credits that were billed, in all.
             * @example 7
             */
            settled: number;
            /**
             * @description Credits that are reserved for runs and answers.
             * @example 3
             */
            held: number;
            /**
             * @description Credits that can be spent: `granted` less `settled` and `held`.
             * @example 990
             */
            available: number;
            /**
             * @description Runs and trainings that are active.
             * @example 1
             */
            active_runs: number;
        };
        ModelResponse: {
            /**
             * @description Id of the response.
             * @example resp_0f6f1d5b8a103f0c5a522c0a4c538f4e
             */
            id: string;
            /**
             * @description Always `response`.
             * @constant
             */
            object: "response";
            /**
             * @description Time of creation, seconds since 1970-01-01 UTC.
             * @example 1795341600
             */
            created_at: number;
            /**
             * @description Time of completion, seconds since 1970-01-01 UTC; null when it was not completed.
             * @example 1795341602
             */
            completed_at: number | null;
            /**
             * @description Status of the response.
             * @example completed
             * @enum {string}
             */
            status: "in_progress" | "completed" | "incomplete" | "failed";
            /** @description Why the response failed; null unless it failed. */
            error: {
                /** @description Stable code of the error. */
                code: string;
                /** @description What went wrong. */
                message: string;
            } | null;
            /** @description Why the response is incomplete; null otherwise. */
            incomplete_details: {
                /**
                 * @description The limit or filter that ended the answer.
                 * @enum {string}
                 */
                reason: "max_output_tokens" | "content_filter";
            } | null;
            /**
             * @description Model of the request.
             * @example stack:support
             */
            model: string;
            /** @description Instructions of the request; null without any. */
            instructions: string | null;
            /** @description Items of the answer: messages, reasoning, and calls of tools. */
            output: ({
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "message";
                /**
                 * @description Id of the item.
                 * @example msg_0f6f1d5b8a10
                 */
                id: string;
                /**
                 * @description Status of the item.
                 * @example completed
                 * @enum {string}
                 */
                status: "in_progress" | "completed" | "incomplete";
                /**
                 * @description Always `assistant`.
                 * @constant
                 */
                role: "assistant";
                /** @description What the provider says of the message; absent when it says nothing. */
                phase?: string;
                /** @description Parts of the message. */
                content: ({
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "output_text";
                    /**
                     * @description The text.
                     * @example Choose "Forgot password" on the sign-in page.
                     */
                    text: string;
                    /**
                     * @description Citations of the text.
                     * @example []
                     */
                    annotations: ({
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        type: "file_citation";
                        /**
                         * @description Id of the dataset.
                         * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                         */
                        file_id: string;
                        /** @description Name of the dataset. */
                        filename: string;
                        /** @description Position in the text that the citation supports, in UTF-16 code units from 0. */
                        index: number;
                        /**
                         * @description Id of the dataset.
                         * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                         */
                        dataset_id: string;
                        /** @description Index of the row in the dataset, from 0. */
                        row: number;
                    } | ({
                        /** @description Kind of the object. */
                        type: string;
                    } & {
                        [key: string]: unknown;
                    }))[];
                    /**
                     * @description Always empty.
                     * @example []
                     */
                    logprobs: unknown[];
                } | {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "refusal";
                    /** @description Why the model refuses. */
                    refusal: string;
                })[];
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "reasoning";
                /** @description Id of the item. */
                id: string;
                /**
                 * @description Status of the item.
                 * @example completed
                 * @enum {string}
                 */
                status: "in_progress" | "completed" | "incomplete";
                /** @description Summaries of the reasoning. */
                summary: {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "summary_text";
                    /** @description Text of the summary. */
                    text: string;
                }[];
                /** @description The reasoning itself. */
                content: {
                    /**
                     * @description Kind of the object.
                     * @constant
                     */
                    type: "reasoning_text";
                    /** @description Text of the reasoning. */
                    text: string;
                }[];
                /** @description Reasoning in encrypted form; null unless it was asked for. */
                encrypted_content: string | null;
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "function_call";
                /** @description Id of the item. */
                id: string;
                /**
                 * @description Status of the item.
                 * @example completed
                 * @enum {string}
                 */
                status: "in_progress" | "completed" | "incomplete";
                /** @description Id of the call; send it with the output of the function. */
                call_id: string;
                /** @description Name of the function. */
                name: string;
                /** @description Arguments as JSON text. */
                arguments: string;
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "mcp_list_tools";
                /** @description Id of the item. */
                id: string;
                /** @description Label of the tool server. */
                server_label: string;
                /** @description Tools of the server. */
                tools: {
                    /** @description Name of the tool. */
                    name: string;
                    /** @description What the tool does; null when the server does not say. */
                    description: string | null;
                    /** @description JSON Schema of the arguments. */
                    input_schema: {
                        [key: string]: unknown;
                    };
                    /** @description Hints of the server about the tool, such as `readOnlyHint`; null when there are none. */
                    annotations: {
                        [key: string]: unknown;
                    } | null;
                }[];
                /** @description Why the tools could not be listed; null when they were. */
                error: string | null;
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "mcp_call";
                /** @description Id of the item. */
                id: string;
                /**
                 * @description Status of the item.
                 * @enum {string}
                 */
                status: "in_progress" | "calling" | "completed" | "incomplete" | "failed";
                /** @description Label of the tool server. */
                server_label: string;
                /** @description Name of the tool. */
                name: string;
                /** @description Arguments as JSON text. */
                arguments: string;
                /** @description Id of the approval request that this call follows; null without one. */
                approval_request_id: string | null;
                /** @description Result of the call; null while there is none. */
                output: string | null;
                /** @description Why the call failed; null unless it failed. */
                error: string | null;
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "mcp_approval_request";
                /** @description Id of the approval request. */
                id: string;
                /** @description Label of the tool server. */
                server_label: string;
                /** @description Name of the tool. */
                name: string;
                /** @description Arguments as JSON text. */
                arguments: string;
            } | {
                /**
                 * @description Kind of the object.
                 * @constant
                 */
                type: "file_search_call";
                /** @description Id of the item. */
                id: string;
                /**
                 * @description Status of the item.
                 * @enum {string}
                 */
                status: "in_progress" | "searching" | "completed" | "incomplete" | "failed";
                /** @description Queries of the search. */
                queries: string[];
                /** @description Rows that were found; null unless `include` has `file_search_call.results`. */
                results: {
                    /**
                     * @description Id of the dataset.
                     * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                     */
                    file_id: string;
                    /** @description Name of the dataset. */
                    filename: string;
                    /** @description Relevance of the row; higher is better. */
                    score: number;
                    /** @description Text of the row. */
                    text: string;
                    /** @description Where the row is. */
                    attributes: {
                        /**
                         * @description Id of the dataset.
                         * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                         */
                        dataset_id: string;
                        /** @description Index of the row in the dataset, from 0. */
                        row: number;
                        /** @description Number by which the model cites the row. */
                        passage?: number;
                    };
                }[] | null;
            } | ({
                /** @description Kind of the object. */
                type: string;
            } & {
                [key: string]: unknown;
            }))[];
            /** @description Response that this one continues; null without one. */
            previous_response_id: string | null;
            /**
             * @description Tools of the request, without credentials.
             * @example []
             */
            tools: ({
                /** @description Kind of the tool. */
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * @description Tool choice of the request.
             * @example auto
             */
            tool_choice: string | ({
                /** @description Kind of the tool that had to be called. */
                type: string;
            } & {
                [key: string]: unknown;
            });
            /** @description Whether the model could call several tools at once. */
            parallel_tool_calls: boolean;
            /** @description The most calls of tools; null without a limit. */
            max_tool_calls: number | null;
            /**
             * @description The most tokens of the answer; null without a limit.
             * @example 200
             */
            max_output_tokens: number | null;
            /**
             * @description Sampling temperature.
             * @example 1
             */
            temperature: number;
            /**
             * @description Share of the probability mass that was sampled from.
             * @example 1
             */
            top_p: number;
            /**
             * @description Always 0.
             * @example 0
             */
            presence_penalty: number;
            /**
             * @description Always 0.
             * @example 0
             */
            frequency_penalty: number;
            /**
             * @description Always 0.
             * @example 0
             */
            top_logprobs: number;
            /**
             * @description What happens to a conversation that is too long.
             * @example disabled
             * @enum {string}
             */
            truncation: "auto" | "disabled";
            /** @description Form of the answer. */
            text: {
                /** @description Format of the text. */
                format: {
                    /**
                     * @description Kind of the format.
                     * @example text
                     */
                    type: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description Reasoning settings of the request; null without any. */
            reasoning: {
                [key: string]: unknown;
            } | null;
            /** @description Tokens that are billed; null while the response is in progress. */
            usage: {
                /**
                 * @description Tokens that the model read.
                 * @example 14
                 */
                input_tokens: number;
                /** @description Parts of `input_tokens`. */
                input_tokens_details: {
                    /**
                     * @description Tokens from the prompt cache.
                     * @example 0
                     */
                    cached_tokens: number;
                    /**
                     * @description Tokens written to the prompt cache.
                     * @example 0
                     */
                    cache_write_tokens: number;
                };
                /**
                 * @description Tokens that the model wrote.
                 * @example 17
                 */
                output_tokens: number;
                /** @description Parts of `output_tokens`. */
                output_tokens_details: {
                    /**
                     * @description Tokens of the reasoning.
                     * @example 0
                     */
                    reasoning_tokens: number;
                };
                /**
                 * @description Sum of `input_tokens` and `output_tokens`.
                 * @example 31
                 */
                total_tokens: number;
            } | null;
            /** @description Whether the response is kept for 30 days. */
            store: boolean;
            /**
             * @description Always false.
             * @constant
             */
            background: false;
            /**
             * @description Always `default`.
             * @constant
             */
            service_tier: "default";
            /**
             * @description Metadata of the request.
             * @example {}
             */
            metadata: {
                [key: string]: string;
            };
            /** @description User id of the request; null without one. */
            user: string | null;
            /** @description Safety identifier of the request; null without one. */
            safety_identifier: string | null;
            /** @description Prompt cache key of the request; null without one. */
            prompt_cache_key: string | null;
            /**
             * @description Retention of the prompt cache; null without one.
             * @default null
             */
            prompt_cache_retention: ("in_memory" | "24h") | null;
        };
        ToolList: {
            /**
             * @description Always `list`.
             * @constant
             */
            object: "list";
            /** @description Tool servers that the operator offers. */
            data: components["schemas"]["Tool"][];
        };
        Tool: {
            /**
             * @description Id of the server; pass it as `server_label` of a tool.
             * @example handbook
             */
            server_label: string;
            /**
             * @description Always `mcp`.
             * @constant
             */
            type: "mcp";
            /**
             * @description Name for people.
             * @example Handbook
             */
            name: string;
            /**
             * @description What the server offers.
             * @example Searches the handbook of the company.
             */
            description: string;
            /**
             * @description Whose credential is used: none, the operator’s (`platform`), the one in the request (`caller`), or one stored for the team (`connection`).
             * @enum {string}
             */
            auth: "none" | "platform" | "caller" | "connection";
            /** @description How a credential is stored for the team; null when none is needed. */
            connect: ("oauth" | "secret") | null;
            /** @description Path that starts the connection; null when there is none. */
            connect_path: string | null;
            /** @description URL of a logo; absent when there is none. */
            logo_url?: string;
            /**
             * @description Whether this installation forwards the calls (`hosted_proxy`) or calls the server directly (`remote_mcp`).
             * @enum {string}
             */
            mode: "hosted_proxy" | "remote_mcp";
            /**
             * @description Whether a call needs an approval when the request does not say.
             * @enum {string}
             */
            default_require_approval: "always" | "never";
            /**
             * @description Scope that the key needs.
             * @example responses
             * @enum {string}
             */
            required_scope: "datasets:read" | "datasets:write" | "training" | "responses" | "webhooks";
            /** @description Whether this key can use the server. */
            available: boolean;
            /** @description Why this key cannot use the server; null when it can. */
            unavailable_reason: ("not_implemented" | "disabled" | "requires_plan" | "requires_scope") | null;
        };
        /** @description A receiver of events. */
        Webhook: {
            /**
             * @description Id of the webhook.
             * @example b3a1f0de-7c52-4a39-9d0f-2f5f0c6f7a11
             */
            webhook_id: string;
            /**
             * @description Address that events are sent to.
             * @example https://hooks.example.com/tunesmith
             */
            url: string;
            /**
             * @description Types of events that it gets; null for all that the creator’s key could read.
             * @example [
             *       "dataset.read"
             *     ]
             */
            event_types: ("dataset.read" | "run.progressed" | "run.ended" | "pilot.ended" | "evaluation.ended" | "training.iteration_ended" | "training.ended" | "credits.low" | "answer.failed" | "webhook.disabled" | "webhook.test")[] | null;
            /** @description Text of your own; null without one. */
            description: string | null;
            /**
             * @description A disabled webhook gets no events.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description `failing`: every delivery has failed for five days. `gone`: it answered 410. `requested`: a caller disabled it. Null while it is enabled. */
            disabled_reason: ("failing" | "gone" | "requested") | null;
            /**
             * @description Since when every delivery fails; null if the last one arrived.
             * @example null
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
        };
        WebhookWithSecret: {
            /**
             * @description Id of the webhook.
             * @example b3a1f0de-7c52-4a39-9d0f-2f5f0c6f7a11
             */
            webhook_id: string;
            /**
             * @description Address that events are sent to.
             * @example https://hooks.example.com/tunesmith
             */
            url: string;
            /**
             * @description Types of events that it gets; null for all that the creator’s key could read.
             * @example [
             *       "dataset.read"
             *     ]
             */
            event_types: ("dataset.read" | "run.progressed" | "run.ended" | "pilot.ended" | "evaluation.ended" | "training.iteration_ended" | "training.ended" | "credits.low" | "answer.failed" | "webhook.disabled" | "webhook.test")[] | null;
            /** @description Text of your own; null without one. */
            description: string | null;
            /**
             * @description A disabled webhook gets no events.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description `failing`: every delivery has failed for five days. `gone`: it answered 410. `requested`: a caller disabled it. Null while it is enabled. */
            disabled_reason: ("failing" | "gone" | "requested") | null;
            /**
             * @description Since when every delivery fails; null if the last one arrived.
             * @example null
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Time of creation, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /**
             * @description Secret of the signatures (`whsec_` and base64). It is shown this once: store it.
             * @example whsec_YW4gZXhhbXBsZSBvZiB0aGlydHktdHdvIGJ5dGVzISE=
             */
            secret: string;
            /**
             * @description Until when the secret before it signs too; null if there is none.
             * @example null
             */
            previous_secret_until: string | null;
        };
        WebhookDeliveryPage: {
            /** @description The newest first, of the last 30 days. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Pass it as `before` to continue; null on the last page. */
            next_before: string | null;
        };
        WebhookDelivery: {
            /**
             * @description Position of the event among those of the team.
             * @example 17
             */
            position: number;
            /**
             * @description Id of the event, which is also the header `webhook-id`.
             * @example evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            event_id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            event_type: "dataset.read" | "run.progressed" | "run.ended" | "pilot.ended" | "evaluation.ended" | "training.iteration_ended" | "training.ended" | "credits.low" | "answer.failed" | "webhook.disabled" | "webhook.test";
            /**
             * @description `failed`: given up after the last attempt; it can be sent again.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /**
             * @description Requests that were sent so far.
             * @example 1
             */
            attempts: number;
            /**
             * @description HTTP status of the last response; null if there was no response.
             * @example 503
             */
            response_status: number | null;
            /**
             * @description Why the last attempt failed, or was not made: the event is no longer kept (`event_expired`), or the webhook has an address of a key that cannot read it (`not_readable`). Null if it did not fail.
             * @example status
             */
            error: ("timeout" | "connection_failed" | "address_refused" | "status" | "event_expired" | "not_readable") | null;
            /** @description Milliseconds of the last attempt; null before the first. */
            duration_ms: number | null;
            /**
             * Format: date-time
             * @description When the delivery was created, ISO 8601 in UTC.
             * @example 2026-11-22T10:00:00.000Z
             */
            created_at: string;
            /** @description Time of the last attempt; null before the first. */
            last_attempt_at: string | null;
            /** @description Time of the next attempt, unless it is over; null if there is none. */
            next_attempt_at: string | null;
        };
        WebhookTest: {
            /**
             * @description Id of the event `webhook.test`, which only this webhook gets.
             * @example evt_0b7e9a52-6d3e-8b41-9c07-2f4f6f5f3b1d
             */
            event_id: string;
        };
        Problem: {
            /** @description HTTP status of the response, 400 to 503. */
            statusCode: number;
            /** @description What is wrong and what to do about it. */
            message: string;
            /**
             * @description Stable code of the error. Test this field in programs, not `message`.
             * @enum {string}
             */
            code: "invalid_request" | "malformed_json" | "cursor_invalid" | "column_unknown" | "column_mapping_required" | "upload_mismatch" | "upload_missing" | "DATASET_COMBINE_VALIDATION_FAILED" | "invalid_judge_prompt" | "domain_unknown" | "domain_not_inferred" | "nothing_to_add" | "images_unsupported" | "topics_unknown" | "language_unsupported" | "voucher_invalid" | "approval_unknown" | "context_too_long" | "unauthorized" | "credits_insufficient" | "scope_missing" | "organization_forbidden" | "tool_not_permitted" | "plan_limit_exceeded" | "route_not_found" | "dataset_not_found" | "run_not_found" | "version_not_found" | "row_not_found" | "stack_not_found" | "custom_eval_not_found" | "eval_not_found" | "append_not_found" | "pilot_not_found" | "training_not_found" | "comparison_not_found" | "model_not_found" | "combine_job_not_found" | "response_not_found" | "webhook_not_found" | "delivery_not_found" | "method_not_allowed" | "dataset_running" | "training_running" | "pilot_running" | "pilot_without_winner" | "pilot_outdated" | "training_handing_over" | "version_in_use" | "dataset_not_ready" | "webhook_disabled" | "webhooks_limit_reached" | "rows_pending" | "payload_too_large" | "format_unsupported" | "idempotency_mismatch" | "dataset_not_adapted" | "dataset_untrainable" | "model_unsupported" | "model_not_served" | "nothing_to_apply" | "no_artifact" | "model_cannot_see" | "connection_missing" | "not_available_yet" | "no_data_yet" | "dataset_too_large" | "response_too_large" | "model_refused" | "rate_limited" | "model_busy" | "runs_limit_reached" | "uploads_limit_reached" | "internal_error" | "publish_not_implemented" | "publication_active" | "publication_not_found" | "service_unavailable" | "index_not_ready" | "export_failed" | "export_pending" | "file_empty" | "file_unreadable" | "file_too_large" | "schema_mismatch" | "source_refused" | "source_denied" | "source_missing" | "source_unusable" | "source_unavailable" | "model_unavailable" | "model_quota_exhausted" | "too_many_rows_failed" | "run_budget_exceeded" | "trainer_lost" | "trainer_failed" | "trainer_never_started" | "trainer_refused" | "run_cancelled" | "run_interrupted" | "run_timed_out";
            /** @description One entry for each bad field; empty when no field is at fault. */
            details: ({
                /** @description Where the field is: `column_mapping.prompt`, `query.limit`, `files[0].file_name`; `body` for the body as a whole. */
                path: string;
                /** @description What is wrong with the field. */
                message: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Id of the request in the log of the service. Give it to the operator when you report a failure. */
            request_id: string;
            /** @description The same error in the shape that OpenAI clients read. */
            error: {
                /** @description The `message` above. */
                message: string;
                /** @description Kind of error in OpenAI’s terms, such as `invalid_request_error`. */
                type: string;
                /** @description Path of the first bad field; empty when no field is at fault. */
                param: string;
                /** @description The `code` above. */
                code: string;
            };
        };
    };
    responses: {
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `cursor_invalid`: The cursor does not belong to this query
         */
        "Problem.400.invalid_request.cursor_invalid": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "cursor_invalid";
                };
            };
        };
        /**
         * @description The API key is missing, malformed, unknown or revoked
         *
         *     - `unauthorized`: The API key is missing, malformed, unknown or revoked
         */
        "Problem.401.unauthorized": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description How to authenticate */
                "www-authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "unauthorized";
                };
            };
        };
        /**
         * @description The key or the plan does not allow this
         *
         *     - `scope_missing`: The API key lacks a scope
         */
        "Problem.403.scope_missing": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "scope_missing";
                };
            };
        };
        /**
         * @description Too much at once
         *
         *     - `rate_limited`: Too many requests
         */
        "Problem.429.rate_limited": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "rate_limited";
                };
            };
        };
        /**
         * @description The service failed
         *
         *     - `internal_error`: The service failed
         */
        "Problem.500.internal_error": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "internal_error";
                };
            };
        };
        /**
         * @description Not ready yet
         *
         *     - `service_unavailable`: The service is busy
         */
        "Problem.503.service_unavailable": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "service_unavailable";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `column_unknown`: A mapped column is not in the dataset
         *     - `column_mapping_required`: A column mapping is required
         *     - `voucher_invalid`: The voucher cannot be redeemed
         */
        "Problem.400.invalid_request.malformed_json.column_unknown.column_mapping_required.voucher_invalid": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "column_unknown" | "column_mapping_required" | "voucher_invalid";
                };
            };
        };
        /**
         * @description Not enough credits
         *
         *     - `credits_insufficient`: Not enough credits
         */
        "Problem.402.credits_insufficient": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "credits_insufficient";
                };
            };
        };
        /**
         * @description The key or the plan does not allow this
         *
         *     - `scope_missing`: The API key lacks a scope
         *     - `plan_limit_exceeded`: The plan does not allow this
         */
        "Problem.403.scope_missing.plan_limit_exceeded": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "scope_missing" | "plan_limit_exceeded";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `version_not_found`: There is no such version
         */
        "Problem.404.dataset_not_found.version_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "version_not_found";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `training_running`: A training of the dataset is active
         */
        "Problem.409.training_running": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "training_running";
                };
            };
        };
        /**
         * @description The request or the file is too large
         *
         *     - `payload_too_large`: The body is too large
         */
        "Problem.413.payload_too_large": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "payload_too_large";
                };
            };
        };
        /**
         * @description The format is not supported
         *
         *     - `format_unsupported`: The format is not supported
         */
        "Problem.415.format_unsupported": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "format_unsupported";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `dataset_untrainable`: The dataset cannot be trained on
         *     - `model_unsupported`: No trainer knows the model
         *     - `idempotency_mismatch`: The idempotency key belongs to another request
         */
        "Problem.422.dataset_untrainable.model_unsupported.idempotency_mismatch": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_untrainable" | "model_unsupported" | "idempotency_mismatch";
                };
            };
        };
        /**
         * @description Too much at once
         *
         *     - `rate_limited`: Too many requests
         *     - `runs_limit_reached`: Too many runs are active
         */
        "Problem.429.rate_limited.runs_limit_reached": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "rate_limited" | "runs_limit_reached";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `column_unknown`: A mapped column is not in the dataset
         */
        "Problem.400.invalid_request.malformed_json.column_unknown": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "column_unknown";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         */
        "Problem.404.dataset_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `dataset_not_ready`: The dataset is not ready for this
         *     - `training_running`: A training of the dataset is active
         */
        "Problem.409.dataset_not_ready.training_running": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_ready" | "training_running";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         */
        "Problem.400.invalid_request": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `comparison_not_found`: There is no such comparison
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.comparison_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "comparison_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `training_handing_over`: The training cannot be cancelled just now
         */
        "Problem.409.training_handing_over": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "training_handing_over";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         */
        "Problem.400.invalid_request.malformed_json": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `dataset_untrainable`: The dataset cannot be trained on
         *     - `model_unsupported`: No trainer knows the model
         */
        "Problem.422.dataset_untrainable.model_unsupported": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_untrainable" | "model_unsupported";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `training_not_found`: There is no such training
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.training_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "training_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `no_artifact`: The training has no model to download
         */
        "Problem.422.no_artifact": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "no_artifact";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `publication_active`: A publication of the team is under way
         */
        "Problem.409.publication_active": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "publication_active";
                };
            };
        };
        /**
         * @description Not implemented
         *
         *     - `publish_not_implemented`: Publishing is not implemented, or the team has no connection
         */
        "Problem.501.publish_not_implemented": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "publish_not_implemented";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `training_not_found`: There is no such training
         *     - `publication_not_found`: There is no such publication
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.training_not_found.publication_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "training_not_found" | "publication_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `approval_unknown`: No such call was proposed
         *     - `context_too_long`: The conversation is too long for the model
         */
        "Problem.400.invalid_request.malformed_json.approval_unknown.context_too_long": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "approval_unknown" | "context_too_long";
                };
            };
        };
        /**
         * @description The key or the plan does not allow this
         *
         *     - `scope_missing`: The API key lacks a scope
         *     - `organization_forbidden`: The key is of another organization
         *     - `tool_not_permitted`: The stack does not permit the tool
         */
        "Problem.403.scope_missing.organization_forbidden.tool_not_permitted": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "scope_missing" | "organization_forbidden" | "tool_not_permitted";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `model_not_found`: There is no such model
         *     - `stack_not_found`: There is no such stack
         *     - `response_not_found`: There is no such stored response
         *     - `dataset_not_found`: There is no such dataset
         */
        "Problem.404.model_not_found.stack_not_found.response_not_found.dataset_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "model_not_found" | "stack_not_found" | "response_not_found" | "dataset_not_found";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `dataset_not_adapted`: The dataset was not adapted
         *     - `model_not_served`: The trained model is not served
         *     - `model_refused`: The model’s provider refused the request
         */
        "Problem.422.dataset_not_adapted.model_not_served.model_refused": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_adapted" | "model_not_served" | "model_refused";
                };
            };
        };
        /**
         * @description Too much at once
         *
         *     - `rate_limited`: Too many requests
         *     - `model_busy`: The model has too much to do
         */
        "Problem.429.rate_limited.model_busy": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "rate_limited" | "model_busy";
                };
            };
        };
        /**
         * @description Not ready yet
         *
         *     - `service_unavailable`: The service is busy
         *     - `index_not_ready`: The search index is being built
         *     - `model_quota_exhausted`: The quota of the model is used up
         */
        "Problem.503.service_unavailable.index_not_ready.model_quota_exhausted": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "service_unavailable" | "index_not_ready" | "model_quota_exhausted";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `response_not_found`: There is no such stored response
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.response_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "response_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `not_available_yet`: This installation does not offer that yet
         *     - `connection_missing`: No account is connected for this
         */
        "Problem.422.not_available_yet.connection_missing": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "not_available_yet" | "connection_missing";
                };
            };
        };
        /**
         * @description Too much at once
         *
         *     - `rate_limited`: Too many requests
         *     - `uploads_limit_reached`: Too much waits to be completed
         */
        "Problem.429.rate_limited.uploads_limit_reached": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "rate_limited" | "uploads_limit_reached";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `DATASET_COMBINE_VALIDATION_FAILED`: The datasets cannot be combined
         */
        "Problem.400.invalid_request.malformed_json.DATASET_COMBINE_VALIDATION_FAILED": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "DATASET_COMBINE_VALIDATION_FAILED";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `dataset_too_large`: The dataset is too large for this
         *     - `idempotency_mismatch`: The idempotency key belongs to another request
         */
        "Problem.422.dataset_too_large.idempotency_mismatch": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_too_large" | "idempotency_mismatch";
                };
            };
        };
        /**
         * @description The service failed
         *
         *     - `internal_error`: The service failed
         *     - `run_interrupted`: The run was interrupted
         */
        "Problem.500.internal_error.run_interrupted": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "internal_error" | "run_interrupted";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `combine_job_not_found`: There is no such combine job
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.combine_job_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "combine_job_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `domain_unknown`: The catalog has no such domain
         *     - `domain_not_inferred`: The prompt fits no domain of the catalog
         *     - `language_unsupported`: The language is not supported
         */
        "Problem.400.invalid_request.malformed_json.domain_unknown.domain_not_inferred.language_unsupported": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "domain_unknown" | "domain_not_inferred" | "language_unsupported";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `idempotency_mismatch`: The idempotency key belongs to another request
         */
        "Problem.422.idempotency_mismatch": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "idempotency_mismatch";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `upload_missing`: No file has been uploaded
         *     - `upload_mismatch`: The uploaded file is not the one announced
         *     - `column_unknown`: A mapped column is not in the dataset
         */
        "Problem.400.invalid_request.malformed_json.upload_missing.upload_mismatch.column_unknown": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "upload_missing" | "upload_mismatch" | "column_unknown";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `dataset_not_ready`: The dataset is not ready for this
         */
        "Problem.409.dataset_not_ready": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_ready";
                };
            };
        };
        /**
         * @description The request or the file is too large
         *
         *     - `payload_too_large`: The body is too large
         *     - `file_too_large`: The file is too large
         */
        "Problem.413.payload_too_large.file_too_large": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "payload_too_large" | "file_too_large";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `file_empty`: The file holds no rows
         *     - `file_unreadable`: The file cannot be read
         */
        "Problem.422.file_empty.file_unreadable": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "file_empty" | "file_unreadable";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `upload_missing`: No file has been uploaded
         *     - `upload_mismatch`: The uploaded file is not the one announced
         */
        "Problem.400.invalid_request.malformed_json.upload_missing.upload_mismatch": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "upload_missing" | "upload_mismatch";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.dataset_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `dataset_running`: A run is active on the dataset
         *     - `pilot_running`: A pilot of the dataset is active
         *     - `training_running`: A training of the dataset is active
         */
        "Problem.409.dataset_running.pilot_running.training_running": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_running" | "pilot_running" | "training_running";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `column_mapping_required`: A column mapping is required
         *     - `column_unknown`: A mapped column is not in the dataset
         *     - `language_unsupported`: The language is not supported
         */
        "Problem.400.invalid_request.malformed_json.column_mapping_required.column_unknown.language_unsupported": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "column_mapping_required" | "column_unknown" | "language_unsupported";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `pilot_not_found`: There is no such pilot
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.dataset_not_found.pilot_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "pilot_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `dataset_not_ready`: The dataset is not ready for this
         *     - `dataset_running`: A run is active on the dataset
         *     - `pilot_running`: A pilot of the dataset is active
         *     - `pilot_without_winner`: The pilot recommends no arm
         *     - `pilot_outdated`: The dataset changed since the pilot
         */
        "Problem.409.dataset_not_ready.dataset_running.pilot_running.pilot_without_winner.pilot_outdated": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_ready" | "dataset_running" | "pilot_running" | "pilot_without_winner" | "pilot_outdated";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `model_cannot_see`: The model does not see images
         *     - `idempotency_mismatch`: The idempotency key belongs to another request
         *     - `not_available_yet`: This installation does not offer that yet
         */
        "Problem.422.model_cannot_see.idempotency_mismatch.not_available_yet": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "model_cannot_see" | "idempotency_mismatch" | "not_available_yet";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `append_not_found`: There is no such append
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.dataset_not_found.append_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "append_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `column_mapping_required`: A column mapping is required
         *     - `images_unsupported`: Rows with images cannot be expanded
         *     - `topics_unknown`: The topics of the dataset cannot be told
         *     - `nothing_to_add`: The request would add no rows
         */
        "Problem.400.invalid_request.malformed_json.column_mapping_required.images_unsupported.topics_unknown.nothing_to_add": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "column_mapping_required" | "images_unsupported" | "topics_unknown" | "nothing_to_add";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `dataset_not_ready`: The dataset is not ready for this
         *     - `dataset_running`: A run is active on the dataset
         */
        "Problem.409.dataset_not_ready.dataset_running": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_ready" | "dataset_running";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `not_available_yet`: This installation does not offer that yet
         *     - `idempotency_mismatch`: The idempotency key belongs to another request
         */
        "Problem.422.not_available_yet.idempotency_mismatch": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "not_available_yet" | "idempotency_mismatch";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `invalid_judge_prompt`: A judge cannot score by this prompt
         */
        "Problem.400.invalid_request.malformed_json.invalid_judge_prompt": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "invalid_judge_prompt";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `dataset_not_adapted`: The dataset was not adapted
         *     - `not_available_yet`: This installation does not offer that yet
         */
        "Problem.422.dataset_not_adapted.not_available_yet": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_adapted" | "not_available_yet";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `custom_eval_not_found`: There is no such custom evaluation
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.dataset_not_found.custom_eval_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "custom_eval_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `version_not_found`: There is no such version
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.dataset_not_found.version_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "version_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `no_data_yet`: The dataset holds no data yet
         *     - `dataset_too_large`: The dataset is too large for this
         */
        "Problem.422.no_data_yet.dataset_too_large": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "no_data_yet" | "dataset_too_large";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `column_mapping_required`: A column mapping is required
         */
        "Problem.400.invalid_request.column_mapping_required": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "column_mapping_required";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `run_not_found`: There is no such run
         *     - `version_not_found`: There is no such version
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.dataset_not_found.run_not_found.version_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "run_not_found" | "version_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `no_data_yet`: The dataset holds no data yet
         *     - `export_failed`: The export could not be built
         */
        "Problem.422.no_data_yet.export_failed": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "no_data_yet" | "export_failed";
                };
            };
        };
        /**
         * @description Not ready yet
         *
         *     - `service_unavailable`: The service is busy
         *     - `export_pending`: The export is being built
         */
        "Problem.503.service_unavailable.export_pending": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "service_unavailable" | "export_pending";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `column_mapping_required`: A column mapping is required
         *     - `images_unsupported`: Rows with images cannot be expanded
         *     - `nothing_to_add`: The request would add no rows
         *     - `column_unknown`: A mapped column is not in the dataset
         */
        "Problem.400.invalid_request.malformed_json.column_mapping_required.images_unsupported.nothing_to_add.column_unknown": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "column_mapping_required" | "images_unsupported" | "nothing_to_add" | "column_unknown";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `no_data_yet`: The dataset holds no data yet
         */
        "Problem.422.no_data_yet": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "no_data_yet";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `column_mapping_required`: A column mapping is required
         *     - `images_unsupported`: Rows with images cannot be expanded
         *     - `nothing_to_add`: The request would add no rows
         *     - `language_unsupported`: The language is not supported
         */
        "Problem.400.invalid_request.malformed_json.column_mapping_required.images_unsupported.nothing_to_add.language_unsupported": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "column_mapping_required" | "images_unsupported" | "nothing_to_add" | "language_unsupported";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `dataset_not_ready`: The dataset is not ready for this
         *     - `dataset_running`: A run is active on the dataset
         *     - `pilot_running`: A pilot of the dataset is active
         */
        "Problem.409.dataset_not_ready.dataset_running.pilot_running": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_ready" | "dataset_running" | "pilot_running";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `publication_not_found`: There is no such publication
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.dataset_not_found.publication_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "publication_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `rows_pending`: The index of the rows is being built
         */
        "Problem.409.rows_pending": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "rows_pending";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `row_not_found`: There is no such row
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.dataset_not_found.row_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "row_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `upload_missing`: No file has been uploaded
         */
        "Problem.400.invalid_request.malformed_json.upload_missing": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "upload_missing";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `schema_mismatch`: The files do not share one schema
         *     - `idempotency_mismatch`: The idempotency key belongs to another request
         */
        "Problem.422.schema_mismatch.idempotency_mismatch": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "schema_mismatch" | "idempotency_mismatch";
                };
            };
        };
        /**
         * @description Too much at once
         *
         *     - `rate_limited`: Too many requests
         *     - `uploads_limit_reached`: Too much waits to be completed
         *     - `runs_limit_reached`: Too many runs are active
         */
        "Problem.429.rate_limited.uploads_limit_reached.runs_limit_reached": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "rate_limited" | "uploads_limit_reached" | "runs_limit_reached";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `dataset_not_found`: There is no such dataset
         *     - `run_not_found`: There is no such run
         *     - `version_not_found`: There is no such version
         *     - `row_not_found`: There is no such row
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.dataset_not_found.run_not_found.version_not_found.row_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "dataset_not_found" | "run_not_found" | "version_not_found" | "row_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `malformed_json`: The body is not JSON
         *     - `column_mapping_required`: A column mapping is required
         */
        "Problem.400.invalid_request.malformed_json.column_mapping_required": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "malformed_json" | "column_mapping_required";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `rows_pending`: The index of the rows is being built
         *     - `dataset_not_ready`: The dataset is not ready for this
         *     - `dataset_running`: A run is active on the dataset
         */
        "Problem.409.rows_pending.dataset_not_ready.dataset_running": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "rows_pending" | "dataset_not_ready" | "dataset_running";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `no_data_yet`: The dataset holds no data yet
         *     - `dataset_too_large`: The dataset is too large for this
         *     - `nothing_to_apply`: No verdict would change a row
         *     - `idempotency_mismatch`: The idempotency key belongs to another request
         */
        "Problem.422.no_data_yet.dataset_too_large.nothing_to_apply.idempotency_mismatch": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "no_data_yet" | "dataset_too_large" | "nothing_to_apply" | "idempotency_mismatch";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `version_in_use`: The version is in use
         */
        "Problem.409.version_in_use": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "version_in_use";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `eval_not_found`: There is no such eval or run of one
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.eval_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "eval_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `eval_not_found`: There is no such eval or run of one
         *     - `dataset_not_found`: There is no such dataset
         *     - `model_not_found`: There is no such model
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.eval_not_found.dataset_not_found.model_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "eval_not_found" | "dataset_not_found" | "model_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `model_not_served`: The trained model is not served
         */
        "Problem.422.model_not_served": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "model_not_served";
                };
            };
        };
        /**
         * @description The request is not valid
         *
         *     - `invalid_request`: The request is not valid
         *     - `upload_missing`: No file has been uploaded
         *     - `upload_mismatch`: The uploaded file is not the one announced
         *     - `column_unknown`: A mapped column is not in the dataset
         */
        "Problem.400.invalid_request.upload_missing.upload_mismatch.column_unknown": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "invalid_request" | "upload_missing" | "upload_mismatch" | "column_unknown";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `training_not_found`: There is no such training
         */
        "Problem.404.training_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "training_not_found";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `training_running`: A training of the dataset is active
         *     - `rows_pending`: The index of the rows is being built
         */
        "Problem.409.training_running.rows_pending": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "training_running" | "rows_pending";
                };
            };
        };
        /**
         * @description The key or the plan does not allow this
         *
         *     - `scope_missing`: The API key lacks a scope
         *     - `organization_forbidden`: The key is of another organization
         */
        "Problem.403.scope_missing.organization_forbidden": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "scope_missing" | "organization_forbidden";
                };
            };
        };
        /**
         * @description Not ready yet
         *
         *     - `service_unavailable`: The service is busy
         *     - `model_unavailable`: The model does not answer
         */
        "Problem.503.service_unavailable.model_unavailable": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Seconds after which to come back */
                "Retry-After"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "service_unavailable" | "model_unavailable";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `model_not_found`: There is no such model
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.model_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "model_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The request is understood and cannot be carried out
         *
         *     - `response_too_large`: The response is too large to be read at once
         */
        "Problem.422.response_too_large": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "response_too_large";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `webhooks_limit_reached`: The team has as many webhooks as it may
         */
        "Problem.409.webhooks_limit_reached": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "webhooks_limit_reached";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `webhook_not_found`: There is no such webhook
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.webhook_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "webhook_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `webhook_not_found`: There is no such webhook
         *     - `delivery_not_found`: There is no such delivery
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.webhook_not_found.delivery_not_found.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "webhook_not_found" | "delivery_not_found" | "route_not_found";
                };
            };
        };
        /**
         * @description The state of the dataset does not allow this now
         *
         *     - `webhook_disabled`: The webhook is disabled
         */
        "Problem.409.webhook_disabled": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                /** @description Whether the same request can succeed later */
                "x-should-retry"?: "true" | "false";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "webhook_disabled";
                };
            };
        };
        /**
         * @description There is no such thing, or it belongs to another team
         *
         *     - `route_not_found`: There is no such route
         */
        "Problem.404.route_not_found": {
            headers: {
                /** @description Names the request in the service’s log */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /**
                     * @description The codes that this route answers with.
                     * @enum {unknown}
                     */
                    code?: "route_not_found";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    autoscientistList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20 */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only trainings of this dataset. */
                dataset_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "id": "8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40",
                     *           "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *           "dataset_version": 2,
                     *           "model": "Qwen/Qwen3.5-0.8B",
                     *           "status": "succeeded",
                     *           "created_at": "2026-11-22T10:00:00.000Z",
                     *           "completed_at": "2026-11-22T10:00:00.000Z",
                     *           "iterations_completed": 2,
                     *           "max_iterations": 3,
                     *           "target_win_rate": 0.7,
                     *           "best_win_rate": 0.74,
                     *           "best_win_rate_method": "judge",
                     *           "training_method": "instruction",
                     *           "best_hyperparams": {
                     *             "training_type": "lora",
                     *             "n_epochs": 3,
                     *             "learning_rate": 0.0001,
                     *             "batch_size": "max",
                     *             "lora_r": 16,
                     *             "lora_alpha": 32,
                     *             "lr_scheduler_type": "cosine",
                     *             "warmup_ratio": 0.03
                     *           },
                     *           "column_mapping": null,
                     *           "download_available": true,
                     *           "error": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Trainings of this page, newest first. */
                        runs: components["schemas"]["TrainingRun"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.cursor_invalid"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                 *       "hyperparams": {
                 *         "n_epochs": 3
                 *       },
                 *       "idempotency_key": "nightly-2026-11-22"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTrainingRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "dataset_version": 2,
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "status": "pending",
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "completed_at": null,
                     *       "iterations_completed": 0,
                     *       "max_iterations": 3,
                     *       "target_win_rate": 0.7,
                     *       "best_win_rate": null,
                     *       "best_win_rate_method": null,
                     *       "training_method": "instruction",
                     *       "best_hyperparams": null,
                     *       "column_mapping": null,
                     *       "download_available": false,
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["TrainingRun"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_unknown.column_mapping_required.voucher_invalid"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found.version_not_found"];
            409: components["responses"]["Problem.409.training_running"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.dataset_untrainable.model_unsupported.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistComparisonsList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20 */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only comparisons of this dataset. */
                dataset_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "comparison_id": "2f9c4b7d-51e8-4a06-9d3c-7b8e0f1a2c65",
                     *           "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *           "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *           "model": "Qwen/Qwen3.5-0.8B",
                     *           "training_method": "instruction",
                     *           "hyperparams": {
                     *             "training_type": "lora",
                     *             "n_epochs": 3,
                     *             "learning_rate": 0.0001,
                     *             "batch_size": "max",
                     *             "lora_r": 16,
                     *             "lora_alpha": 32,
                     *             "lr_scheduler_type": "cosine",
                     *             "warmup_ratio": 0.03
                     *           },
                     *           "seeds": 1,
                     *           "status": "succeeded",
                     *           "trainings_completed": 2,
                     *           "trainings_total": 2,
                     *           "created_at": "2026-11-22T10:00:00.000Z",
                     *           "completed_at": "2026-11-22T10:00:00.000Z",
                     *           "error": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Comparisons of this page, newest first. */
                        items: components["schemas"]["ComparisonSummary"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.cursor_invalid"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistComparisonsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                 *       "hyperparams": {
                 *         "n_epochs": 3
                 *       },
                 *       "seeds": 1,
                 *       "idempotency_key": "nightly-2026-11-22",
                 *       "estimate": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateComparisonRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comparison_id": null,
                     *       "estimate": true,
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "training_method": "instruction",
                     *       "hyperparams": {
                     *         "training_type": "lora",
                     *         "n_epochs": 3,
                     *         "learning_rate": 0.0001,
                     *         "batch_size": "max",
                     *         "lora_r": 16,
                     *         "lora_alpha": 32,
                     *         "lr_scheduler_type": "cosine",
                     *         "warmup_ratio": 0.03
                     *       },
                     *       "seeds": 1,
                     *       "trainings": 2,
                     *       "rows": 500,
                     *       "held_out_rows": 50,
                     *       "estimated_credits": 0,
                     *       "notes": [
                     *         "The model is trained on the answers (SFT)."
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ComparisonLaunch"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_unknown"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready.training_running"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.dataset_untrainable.model_unsupported.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistComparisonsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the comparison, 1 to 200 characters. */
                comparison_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comparison_id": "2f9c4b7d-51e8-4a06-9d3c-7b8e0f1a2c65",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "training_method": "instruction",
                     *       "hyperparams": {
                     *         "training_type": "lora",
                     *         "n_epochs": 3,
                     *         "learning_rate": 0.0001,
                     *         "batch_size": "max",
                     *         "lora_r": 16,
                     *         "lora_alpha": 32,
                     *         "lr_scheduler_type": "cosine",
                     *         "warmup_ratio": 0.03
                     *       },
                     *       "seeds": 1,
                     *       "status": "succeeded",
                     *       "trainings_completed": 2,
                     *       "trainings_total": 2,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "completed_at": "2026-11-22T10:00:00.000Z",
                     *       "error": null,
                     *       "win_rates": {
                     *         "adapted_against_base": {
                     *           "value": 0.62,
                     *           "interval95": [
                     *             0.4815,
                     *             0.7413
                     *           ],
                     *           "seed_spread": null,
                     *           "measure": "judge",
                     *           "rows": 50,
                     *           "is_indicative": false,
                     *           "by_seed": [
                     *             {
                     *               "seed": 1,
                     *               "value": 0.62,
                     *               "interval95": [
                     *                 0.4815,
                     *                 0.7413
                     *               ],
                     *               "wins": 28,
                     *               "losses": 16,
                     *               "ties": 6,
                     *               "undecided": 0,
                     *               "undecided_reason": null,
                     *               "likelihood_reason": null
                     *             }
                     *           ]
                     *         },
                     *         "original_against_base": {
                     *           "value": 0.62,
                     *           "interval95": [
                     *             0.4815,
                     *             0.7413
                     *           ],
                     *           "seed_spread": null,
                     *           "measure": "judge",
                     *           "rows": 50,
                     *           "is_indicative": false,
                     *           "by_seed": [
                     *             {
                     *               "seed": 1,
                     *               "value": 0.62,
                     *               "interval95": [
                     *                 0.4815,
                     *                 0.7413
                     *               ],
                     *               "wins": 28,
                     *               "losses": 16,
                     *               "ties": 6,
                     *               "undecided": 0,
                     *               "undecided_reason": null,
                     *               "likelihood_reason": null
                     *             }
                     *           ]
                     *         },
                     *         "adapted_against_original": {
                     *           "value": 0.62,
                     *           "interval95": [
                     *             0.4815,
                     *             0.7413
                     *           ],
                     *           "seed_spread": null,
                     *           "measure": "judge",
                     *           "rows": 50,
                     *           "is_indicative": false,
                     *           "by_seed": [
                     *             {
                     *               "seed": 1,
                     *               "value": 0.62,
                     *               "interval95": [
                     *                 0.4815,
                     *                 0.7413
                     *               ],
                     *               "wins": 28,
                     *               "losses": 16,
                     *               "ties": 6,
                     *               "undecided": 0,
                     *               "undecided_reason": null,
                     *               "likelihood_reason": null
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "trainings": [
                     *         {
                     *           "side": "original",
                     *           "seed": 1,
                     *           "status": "completed",
                     *           "phase": null,
                     *           "reason": null,
                     *           "rows": 430,
                     *           "training_loss": 1.38,
                     *           "held_out_loss": {
                     *             "before": 2.35,
                     *             "after": 1.66
                     *           },
                     *           "stages": [
                     *             {
                     *               "method": "sft",
                     *               "steps": 90,
                     *               "steps_planned": 90,
                     *               "seconds": 412.5,
                     *               "training_loss": [
                     *                 {
                     *                   "step": 90,
                     *                   "loss": 1.38,
                     *                   "learning_rate": 0
                     *                 }
                     *               ],
                     *               "held_out_loss": [
                     *                 {
                     *                   "step": 90,
                     *                   "loss": 1.66
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "answers": [
                     *         {
                     *           "row": 17,
                     *           "prompt": {
                     *             "text": "How do I reset my password?",
                     *             "truncated": false
                     *           },
                     *           "reference": {
                     *             "text": "Choose \"Forgot password\" on the sign-in page.",
                     *             "truncated": false
                     *           },
                     *           "base": {
                     *             "text": "Passwords are important for security.",
                     *             "truncated": false
                     *           },
                     *           "by_seed": [
                     *             {
                     *               "seed": 1,
                     *               "original": {
                     *                 "text": "Use the sign-in page.",
                     *                 "truncated": false
                     *               },
                     *               "adapted": {
                     *                 "text": "Choose \"Forgot password\" on the sign-in page.",
                     *                 "truncated": false
                     *               },
                     *               "better": "adapted"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.comparison_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistComparisonsCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the comparison, 1 to 200 characters. */
                comparison_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comparison_id": "2f9c4b7d-51e8-4a06-9d3c-7b8e0f1a2c65",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "training_method": "instruction",
                     *       "hyperparams": {
                     *         "training_type": "lora",
                     *         "n_epochs": 3,
                     *         "learning_rate": 0.0001,
                     *         "batch_size": "max",
                     *         "lora_r": 16,
                     *         "lora_alpha": 32,
                     *         "lr_scheduler_type": "cosine",
                     *         "warmup_ratio": 0.03
                     *       },
                     *       "seeds": 1,
                     *       "status": "cancelled",
                     *       "trainings_completed": 0,
                     *       "trainings_total": 2,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "completed_at": "2026-11-22T10:00:00.000Z",
                     *       "error": null,
                     *       "win_rates": {
                     *         "adapted_against_base": null,
                     *         "original_against_base": null,
                     *         "adapted_against_original": null
                     *       },
                     *       "trainings": [],
                     *       "answers": []
                     *     }
                     */
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.comparison_not_found.route_not_found"];
            409: components["responses"]["Problem.409.training_handing_over"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "models": [
                     *         {
                     *           "id": "Qwen/Qwen3.5-0.8B",
                     *           "display_name": "Qwen3.5 0.8B",
                     *           "model_size": "0.8B",
                     *           "context_length": 131072,
                     *           "methods": [
                     *             "sft",
                     *             "dpo"
                     *           ],
                     *           "training_types": [
                     *             "lora"
                     *           ],
                     *           "train_with_reasoning": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BaseModels"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistRecommendHyperparams: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10"
                 *     }
                 */
                "application/json": components["schemas"]["RecommendHyperparamsRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "hyperparams": {
                     *         "training_type": "lora",
                     *         "n_epochs": 3,
                     *         "learning_rate": 0.0001,
                     *         "batch_size": "max",
                     *         "lora_r": 16,
                     *         "lora_alpha": 32,
                     *         "lr_scheduler_type": "cosine",
                     *         "warmup_ratio": 0.03
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RecommendedHyperparams"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.dataset_untrainable.model_unsupported"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the training, 1 to 200 characters. */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "dataset_version": 2,
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "status": "succeeded",
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "completed_at": "2026-11-22T10:00:00.000Z",
                     *       "iterations_completed": 2,
                     *       "max_iterations": 3,
                     *       "target_win_rate": 0.7,
                     *       "best_win_rate": 0.74,
                     *       "best_win_rate_method": "judge",
                     *       "training_method": "instruction",
                     *       "best_hyperparams": {
                     *         "training_type": "lora",
                     *         "n_epochs": 3,
                     *         "learning_rate": 0.0001,
                     *         "batch_size": "max",
                     *         "lora_r": 16,
                     *         "lora_alpha": 32,
                     *         "lr_scheduler_type": "cosine",
                     *         "warmup_ratio": 0.03
                     *       },
                     *       "column_mapping": null,
                     *       "download_available": true,
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["TrainingRun"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the training, 1 to 200 characters. */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "dataset_version": 2,
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "status": "cancelled",
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "completed_at": "2026-11-22T10:00:00.000Z",
                     *       "iterations_completed": 0,
                     *       "max_iterations": 3,
                     *       "target_win_rate": 0.7,
                     *       "best_win_rate": null,
                     *       "best_win_rate_method": null,
                     *       "training_method": "instruction",
                     *       "best_hyperparams": null,
                     *       "column_mapping": null,
                     *       "download_available": false,
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["TrainingRun"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            409: components["responses"]["Problem.409.training_handing_over"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the training, 1 to 200 characters. */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is there */
            307: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description Where the file is, for fifteen minutes */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            422: components["responses"]["Problem.422.no_artifact"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistDownloadLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the training, 1 to 200 characters. */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://tunesmith.s3.amazonaws.com/trainings/8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40/artifact.tar.gz?X-Amz-Expires=900",
                     *       "file_name": "Qwen3.5-0.8B-8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40.tar.gz",
                     *       "expires_at": "2026-11-22T10:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DownloadLink"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            422: components["responses"]["Problem.422.no_artifact"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the training, 1 to 200 characters. */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "experiment_id": "8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40",
                     *       "status": "succeeded",
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "target_win_rate": 0.7,
                     *       "max_iterations": 3,
                     *       "best_iteration": 1,
                     *       "iterations": [
                     *         {
                     *           "iteration": 1,
                     *           "status": "completed",
                     *           "phase": null,
                     *           "reason": null,
                     *           "hyperparams": {
                     *             "training_type": "lora",
                     *             "n_epochs": 3,
                     *             "learning_rate": 0.0001,
                     *             "batch_size": "max",
                     *             "lora_r": 16,
                     *             "lora_alpha": 32,
                     *             "lr_scheduler_type": "cosine",
                     *             "warmup_ratio": 0.03
                     *           },
                     *           "changes": [],
                     *           "why": "The recommended values for this model.",
                     *           "stages": [
                     *             {
                     *               "method": "sft",
                     *               "steps": 90,
                     *               "steps_planned": 90,
                     *               "seconds": 412.5,
                     *               "training_loss": [
                     *                 {
                     *                   "step": 90,
                     *                   "loss": 1.38,
                     *                   "learning_rate": 0
                     *                 }
                     *               ],
                     *               "held_out_loss": [
                     *                 {
                     *                   "step": 90,
                     *                   "loss": 1.66
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "win_rate": {
                     *             "value": 0.62,
                     *             "interval95": [
                     *               0.4815,
                     *               0.7413
                     *             ],
                     *             "measure": "judge",
                     *             "judge": "qwen3-4b",
                     *             "rows": 50,
                     *             "wins": 28,
                     *             "losses": 16,
                     *             "ties": 6,
                     *             "is_indicative": false
                     *           },
                     *           "likelihood_reason": null,
                     *           "answers": [
                     *             {
                     *               "row": 17,
                     *               "prompt": {
                     *                 "text": "How do I reset my password?",
                     *                 "truncated": false
                     *               },
                     *               "reference": {
                     *                 "text": "Choose \"Forgot password\" on the sign-in page.",
                     *                 "truncated": false
                     *               },
                     *               "base": {
                     *                 "text": "Passwords are important for security.",
                     *                 "truncated": false
                     *               },
                     *               "trained": {
                     *                 "text": "Choose \"Forgot password\" on the sign-in page.",
                     *                 "truncated": false
                     *               },
                     *               "verdict": "win"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TrainingMetrics"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistPublish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the training, 1 to 200 characters. */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": "huggingface",
                 *       "target_spec": {
                 *         "repo_name": "acme/support-answers",
                 *         "license": "apache-2.0"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Platform to publish to.
                     * @enum {string}
                     */
                    target: "huggingface" | "kaggle";
                    /**
                     * @description Settings of the platform. For `huggingface`: `repo_name` (required; `name` or `namespace/name`), `private` (default: true), `license` (an identifier of the platform, such as `apache-2.0`) and `commit_message`.
                     * @example {
                     *       "repo_name": "acme/support-answers",
                     *       "license": "apache-2.0"
                     *     }
                     */
                    target_spec?: {
                        [key: string]: components["schemas"]["JsonValue"];
                    };
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "publish_id": "5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "queued"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the publication.
                         * @example 5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10
                         */
                        publish_id: string;
                        /**
                         * @description Status of the publication: `queued`, `running`, `succeeded` or `failed`.
                         * @example queued
                         */
                        status: string;
                        /** @description What happens next, or why it failed. */
                        message?: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            409: components["responses"]["Problem.409.publication_active"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.no_artifact"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            501: components["responses"]["Problem.501.publish_not_implemented"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    autoscientistPublicationsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the training, 1 to 200 characters. */
                experiment_id: string;
                /** @description `publish_id` of the start of the publication. */
                publish_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "publish_id": "5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "target": "huggingface",
                     *       "repository": "acme/support-answers",
                     *       "private": true,
                     *       "progress_percent": 100,
                     *       "url": "https://huggingface.co/acme/support-answers",
                     *       "commit": "8d7be65e1f0c4a52b2f9a3d1c6e5f4a3b2c1d0e9",
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "updated_at": "2026-11-22T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.publication_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    chatCompletionsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The organization that the caller means; one that the key is not of is refused */
                "X-Organization-Id"?: string;
                /** @description The trace that the answer is part of (W3C Trace Context); one of another form is none */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "stack:support",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "How do I reset my password?"
                 *         }
                 *       ],
                 *       "max_completion_tokens": 200
                 *     }
                 */
                "application/json": components["schemas"]["CreateChatCompletionRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chatcmpl-0f6f1d5b8a103f0c5a522c0a4c538f4e",
                     *       "object": "chat.completion",
                     *       "created": 1795341600,
                     *       "model": "stack:support",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "finish_reason": "stop",
                     *           "logprobs": null,
                     *           "message": {
                     *             "role": "assistant",
                     *             "content": "Choose \"Forgot password\" on the sign-in page.",
                     *             "refusal": null,
                     *             "annotations": []
                     *           }
                     *         }
                     *       ],
                     *       "usage": {
                     *         "prompt_tokens": 14,
                     *         "completion_tokens": 17,
                     *         "total_tokens": 31,
                     *         "prompt_tokens_details": {
                     *           "cached_tokens": 0
                     *         },
                     *         "completion_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         }
                     *       },
                     *       "service_tier": "default",
                     *       "system_fingerprint": null
                     *     }
                     */
                    "application/json": components["schemas"]["ChatCompletion"];
                    /**
                     * @example data: {"id":"chatcmpl-0f6f1d5b8a103f0c5a522c0a4c538f4e","object":"chat.completion.chunk","created":1795341600,"model":"stack:support","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}]}
                     *
                     *     data: {"id":"chatcmpl-0f6f1d5b8a103f0c5a522c0a4c538f4e","object":"chat.completion.chunk","created":1795341600,"model":"stack:support","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"content":"Choose \"Forgot password\""},"logprobs":null,"finish_reason":null}]}
                     *
                     *     data: {"id":"chatcmpl-0f6f1d5b8a103f0c5a522c0a4c538f4e","object":"chat.completion.chunk","created":1795341600,"model":"stack:support","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"content":" on the sign-in page."},"logprobs":null,"finish_reason":null}]}
                     *
                     *     data: {"id":"chatcmpl-0f6f1d5b8a103f0c5a522c0a4c538f4e","object":"chat.completion.chunk","created":1795341600,"model":"stack:support","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}
                     *
                     *     data: [DONE]
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.approval_unknown.context_too_long"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.organization_forbidden.tool_not_permitted"];
            404: components["responses"]["Problem.404.model_not_found.stack_not_found.response_not_found.dataset_not_found"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.dataset_not_adapted.model_not_served.model_refused"];
            429: components["responses"]["Problem.429.rate_limited.model_busy"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable.index_not_ready.model_quota_exhausted"];
        };
    };
    creditsAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the response, 1 to 128 characters. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "response_id": "resp_0f6f1d5b8a103f0c5a522c0a4c538f4e",
                     *       "model": "qwen3-4b",
                     *       "input_tokens": 4200,
                     *       "output_tokens": 1850,
                     *       "cost_credits": 0.058,
                     *       "billed_credits": 0.058,
                     *       "answered_at": "2026-11-22T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AnswerCost"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.response_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    creditsLedger: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20 */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "entry_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93-settle",
                     *           "type": "settle",
                     *           "purpose": "run",
                     *           "credits": 3,
                     *           "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *           "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *           "reason": null,
                     *           "created_at": "2026-11-22T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Entries of this page, newest first. */
                        entries: components["schemas"]["LedgerMovement"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.cursor_invalid"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    creditsUsage: {
        parameters: {
            query?: {
                /** @description Days back from today, today included, 1 to 90, default 30 */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": [
                     *         {
                     *           "day": "2026-11-22",
                     *           "runs": {
                     *             "runs": 1,
                     *             "credits": 3
                     *           },
                     *           "answers": {
                     *             "answers": 12,
                     *             "input_tokens": 4200,
                     *             "output_tokens": 1850,
                     *             "cost_credits": 0.058,
                     *             "billed_credits": 0.058
                     *           },
                     *           "models": [
                     *             {
                     *               "model": "qwen3-4b",
                     *               "answers": 12,
                     *               "input_tokens": 4200,
                     *               "output_tokens": 1850,
                     *               "cost_credits": 0.058,
                     *               "billed_credits": 0.058
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "total": {
                     *         "runs": {
                     *           "runs": 1,
                     *           "credits": 3
                     *         },
                     *         "answers": {
                     *           "answers": 12,
                     *           "input_tokens": 4200,
                     *           "output_tokens": 1850,
                     *           "cost_credits": 0.058,
                     *           "billed_credits": 0.058
                     *         }
                     *       },
                     *       "runs_complete_after": null
                     *     }
                     */
                    "application/json": components["schemas"]["CreditUsage"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsList: {
        parameters: {
            query?: {
                /** @description Only datasets created after this time (ISO 8601). */
                created_after?: string;
                /** @description Only datasets created before this time (ISO 8601). */
                created_before?: string;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Page size, 1 to 100, default 20 */
                limit?: number;
                /** @description Case-insensitive: the name contains it */
                q?: string;
                /** @description Field to sort by. Default: `created_at`. */
                sort?: "created_at" | "updated_at" | "name";
                /** @description Sort direction. Default: `desc`. */
                sort_direction?: "asc" | "desc";
                /** @description Only datasets with this status; empty for all. */
                status?: ("pending" | "running" | "awaiting_input" | "succeeded" | "failed") | "";
                /** @description Only datasets that this user of the team created. */
                created_by_user_id?: string;
                /** @description Only datasets of this kind, `original` for uploads and imports; empty for all. */
                type?: ("original" | "combined" | "augmented" | "invented") | "";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "datasets": [
                     *         {
                     *           "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *           "name": "support-answers",
                     *           "status": "awaiting_input",
                     *           "created_at": "2026-11-22T10:00:00.000Z",
                     *           "updated_at": "2026-11-22T10:00:00.000Z",
                     *           "row_count": 250,
                     *           "description": null,
                     *           "waits_for": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Datasets of this page. */
                        datasets: components["schemas"]["DatasetListItem"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.cursor_invalid"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "name": "support-answers",
                 *         "file_format": "csv",
                 *         "max_unreadable_share": 0.01
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateDatasetRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "pending",
                     *       "upload_instructions": {
                     *         "url": "https://tunesmith.s3.amazonaws.com/uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv?X-Amz-Expires=3600",
                     *         "method": "PUT",
                     *         "s3_key": "uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the dataset.
                         * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                         */
                        dataset_id: string;
                        /**
                         * @description Status of the dataset.
                         * @enum {string}
                         */
                        status: "pending" | "running" | "succeeded" | "failed";
                        /** @description Where to send the file; null for an import, which needs no upload. */
                        upload_instructions: components["schemas"]["UploadInstructions"] | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.not_available_yet.connection_missing"];
            429: components["responses"]["Problem.429.rate_limited.uploads_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsCombineCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key of 1 to 255 characters. A repeated request with the same key and body returns the first response. Without one the service makes one and returns it. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dataset_ids": [
                 *         "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                 *         "9b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42"
                 *       ],
                 *       "name": "support-answers-all"
                 *     }
                 */
                "application/json": components["schemas"]["CombineRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description The key that a repetition sends */
                    "Idempotency-Key"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "d2a7c1f4-6b0e-4e39-9f52-8c7b3a1e0d65"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the merged dataset.
                         * @example d2a7c1f4-6b0e-4e39-9f52-8c7b3a1e0d65
                         */
                        dataset_id: string;
                    };
                };
            };
            /** @description Accepted: look after it at Location */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description The key that a repetition sends */
                    "Idempotency-Key"?: string;
                    /** @description Where its state is told */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "combine_job_id": "d2a7c1f4-6b0e-4e39-9f52-8c7b3a1e0d65",
                     *       "status": "running",
                     *       "dataset_id": "d2a7c1f4-6b0e-4e39-9f52-8c7b3a1e0d65",
                     *       "error_message": null
                     *     }
                     */
                    "application/json": components["schemas"]["CombineJob"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.DATASET_COMBINE_VALIDATION_FAILED"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.dataset_too_large.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error.run_interrupted"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsCombineJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the combine job, 1 to 200 characters. */
                combine_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "combine_job_id": "d2a7c1f4-6b0e-4e39-9f52-8c7b3a1e0d65",
                     *       "status": "running",
                     *       "dataset_id": "d2a7c1f4-6b0e-4e39-9f52-8c7b3a1e0d65",
                     *       "error_message": null
                     *     }
                     */
                    "application/json": components["schemas"]["CombineJob"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.combine_job_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsCombineValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dataset_ids": [
                 *         "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                 *         "9b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Datasets to check, 2 to 10 different ids.
                     * @example [
                     *       "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "9b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42"
                     *     ]
                     */
                    dataset_ids: string[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "compatible": true,
                     *       "training_type": "instruction_dataset",
                     *       "total_estimated_rows": 500,
                     *       "issues": []
                     *     }
                     */
                    "application/json": components["schemas"]["CombineValidation"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsInventCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rows": 100,
                 *       "name": "cooking-questions",
                 *       "domains": [
                 *         "cooking_food"
                 *       ],
                 *       "language_expansion": {
                 *         "type": "translate",
                 *         "languages": [
                 *           "es"
                 *         ],
                 *         "sample_rate": 0.5
                 *       },
                 *       "dataset_prompt": "Questions on baking bread at home",
                 *       "estimate": true,
                 *       "idempotency_key": "nightly-2026-11-22"
                 *     }
                 */
                "application/json": components["schemas"]["InventRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "estimate": true,
                     *       "id": null,
                     *       "name": "cooking-questions",
                     *       "training_type": "instruction_dataset",
                     *       "domains": [
                     *         "cooking_food"
                     *       ],
                     *       "subdomains": [],
                     *       "dataset_prompt": "Questions on baking bread at home",
                     *       "rows": 100,
                     *       "status": null,
                     *       "created_at": null,
                     *       "estimated_credits": 15,
                     *       "available_credits": 990
                     *     }
                     */
                    "application/json": components["schemas"]["InventedDataset"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.domain_unknown.domain_not_inferred.language_unsupported"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsInventDomains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domains": [
                     *         {
                     *           "code": "cooking_food",
                     *           "title": "Cooking and food",
                     *           "subdomains": [
                     *             {
                     *               "code": "cooking_food.baking",
                     *               "title": "Baking"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DomainTaxonomy"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsUploadsComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "s3_key": "uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv",
                 *       "name": "support-answers",
                 *       "file_format": "csv",
                 *       "file_size_bytes": 48213,
                 *       "max_unreadable_share": 0.01
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Object key from the response of `POST /api/v1/datasets/upload/initiate`.
                     * @example uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv
                     */
                    s3_key: string;
                    /**
                     * @description Name of the dataset, 1 to 255 characters.
                     * @example support-answers
                     */
                    name: string;
                    /**
                     * @description Format of the file.
                     * @enum {string}
                     */
                    file_format: "csv" | "json" | "jsonl" | "parquet" | "pdf" | "docx" | "pptx" | "xlsx" | "html" | "zip" | "txt";
                    /**
                     * @description Size of the uploaded file in bytes, 0 to 2,147,483,648. Another size is refused.
                     * @example 48213
                     */
                    file_size_bytes: number;
                    /** @description SHA-256 of the file, 64 hexadecimal digits. If given, it is checked. */
                    sha256?: string;
                    /** @description If true, the file is stored and not read until `start-adaption` is called. Default: false. */
                    defer_adaption?: boolean;
                    /**
                     * @description Share of the rows of a CSV, JSON or JSON Lines file that may be left out because they cannot be read, 0 to 0.5; `warnings` name the first of them by line and reason. Default: 0, the first such row fails the dataset.
                     * @example 0.01
                     */
                    max_unreadable_share?: number;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "pending"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the dataset.
                         * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                         */
                        dataset_id: string;
                        /**
                         * @description Status of the dataset, or `preprocessing_failed` when the files of a batch do not have the same columns.
                         * @example pending
                         */
                        status: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.upload_missing.upload_mismatch.column_unknown"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready"];
            413: components["responses"]["Problem.413.payload_too_large.file_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.file_empty.file_unreadable"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsUploadsCompleteBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                 *       "files": [
                 *         {
                 *           "file_name": "may.csv",
                 *           "file_format": "csv",
                 *           "file_size_bytes": 48213,
                 *           "s3_key": "uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/0-may.csv"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Id of the dataset from the response of `POST /api/v1/datasets/upload/initiate-batch`.
                     * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                     */
                    dataset_id: string;
                    /** @description Uploaded files, 1 to 500. Their rows are joined in this order; files of the batch that are not named stay out. */
                    files: {
                        /**
                         * @description Name of the file, 1 to 255 characters, unique in the batch. Rows refer to an image by its name, which may be a path.
                         * @example may.csv
                         */
                        file_name: string;
                        /**
                         * @description Format of the file. A batch holds either documents or tables; beside tables it may hold the images that their cells name.
                         * @enum {string}
                         */
                        file_format: "csv" | "json" | "jsonl" | "parquet" | "pdf" | "docx" | "pptx" | "xlsx" | "html" | "zip" | "txt" | "png" | "jpg" | "jpeg" | "gif" | "webp";
                        /**
                         * @description Size of the file in bytes, 0 to 2,147,483,648.
                         * @example 48213
                         */
                        file_size_bytes: number;
                        /**
                         * @description Object key of the file from the response of `initiate-batch`.
                         * @example uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/0-may.csv
                         */
                        s3_key: string;
                    }[];
                    /** @description Overrides `defer_adaption` of the batch. */
                    defer_adaption?: boolean;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "pending"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the dataset.
                         * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                         */
                        dataset_id: string;
                        /**
                         * @description Status of the dataset, or `preprocessing_failed` when the files of a batch do not have the same columns.
                         * @example pending
                         */
                        status: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.upload_missing.upload_mismatch"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready"];
            413: components["responses"]["Problem.413.payload_too_large.file_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.file_empty.file_unreadable"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsUploadsInitiate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "support-answers",
                 *       "file_format": "csv",
                 *       "file_size_bytes": 48213
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Name of the dataset, 1 to 255 characters.
                     * @example support-answers
                     */
                    name: string;
                    /**
                     * @description Format of the file.
                     * @enum {string}
                     */
                    file_format: "csv" | "json" | "jsonl" | "parquet" | "pdf" | "docx" | "pptx" | "xlsx" | "html" | "zip" | "txt";
                    /**
                     * @description Size of the file in bytes, 0 to 2,147,483,648. If given, the URL takes a file of this size only.
                     * @example 48213
                     */
                    file_size_bytes?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "upload_url": "https://tunesmith.s3.amazonaws.com/uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv?X-Amz-Expires=3600",
                     *       "s3_key": "uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description URL to which the file is sent with HTTP PUT, valid for one hour.
                         * @example https://tunesmith.s3.amazonaws.com/uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv?X-Amz-Expires=3600
                         */
                        upload_url: string;
                        /**
                         * @description Object key of the file; pass it to `POST /api/v1/datasets/upload/complete`.
                         * @example uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/support-answers.csv
                         */
                        s3_key: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            429: components["responses"]["Problem.429.rate_limited.uploads_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsUploadsInitiateBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "support-answers",
                 *       "files": [
                 *         {
                 *           "file_name": "may.csv",
                 *           "file_format": "csv",
                 *           "file_size_bytes": 48213
                 *         }
                 *       ],
                 *       "max_unreadable_share": 0.01
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Name of the dataset, 1 to 255 characters.
                     * @example support-answers
                     */
                    name: string;
                    /** @description Files of the batch, 1 to 500. */
                    files: {
                        /**
                         * @description Name of the file, 1 to 255 characters, unique in the batch. Rows refer to an image by its name, which may be a path.
                         * @example may.csv
                         */
                        file_name: string;
                        /**
                         * @description Format of the file. A batch holds either documents or tables; beside tables it may hold the images that their cells name.
                         * @enum {string}
                         */
                        file_format: "csv" | "json" | "jsonl" | "parquet" | "pdf" | "docx" | "pptx" | "xlsx" | "html" | "zip" | "txt" | "png" | "jpg" | "jpeg" | "gif" | "webp";
                        /**
                         * @description Size of the file in bytes, 0 to 2,147,483,648.
                         * @example 48213
                         */
                        file_size_bytes: number;
                    }[];
                    /** @description If true, the files are stored and not read until `start-adaption` is called. Default: false. */
                    defer_adaption?: boolean;
                    /**
                     * @description Share of the rows of a CSV, JSON or JSON Lines file that may be left out because they cannot be read, 0 to 0.5; `warnings` name the first of them by line and reason. Default: 0, the first such row fails the dataset.
                     * @example 0.01
                     */
                    max_unreadable_share?: number;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "uploads": [
                     *         {
                     *           "file_name": "may.csv",
                     *           "upload_url": "https://tunesmith.s3.amazonaws.com/uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/0-may.csv?X-Amz-Expires=3600",
                     *           "s3_key": "uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/0-may.csv"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the dataset.
                         * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                         */
                        dataset_id: string;
                        /** @description One entry per file, in the order of the request. */
                        uploads: {
                            /**
                             * @description Name of the file, as in the request.
                             * @example may.csv
                             */
                            file_name: string;
                            /**
                             * @description URL to which the file is sent with HTTP PUT, valid for one hour.
                             * @example https://tunesmith.s3.amazonaws.com/uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/0-may.csv?X-Amz-Expires=3600
                             */
                            upload_url: string;
                            /**
                             * @description Object key of the file; pass it to `POST /api/v1/datasets/upload/complete-batch`.
                             * @example uploads/2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/0-may.csv
                             */
                            s3_key: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            413: components["responses"]["Problem.413.payload_too_large.file_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            429: components["responses"]["Problem.429.rate_limited.uploads_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "kind": "uploaded",
                     *       "source_dataset_id": null,
                     *       "name": "support-answers",
                     *       "description": null,
                     *       "status": "succeeded",
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "created_by_user_id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
                     *       "updated_at": "2026-11-22T10:00:00.000Z",
                     *       "row_count": 250,
                     *       "configured_column_mapping": {
                     *         "prompt": "question",
                     *         "completion": "answer",
                     *         "context": []
                     *       },
                     *       "evaluation_summary": {
                     *         "grade_before": "C",
                     *         "grade_after": "B",
                     *         "score_before": 6,
                     *         "score_after": 7.9,
                     *         "improvement_percent": 31.7
                     *       },
                     *       "run_id": null,
                     *       "progress": null,
                     *       "error_data": null,
                     *       "error": null,
                     *       "image_column_formats": null,
                     *       "detected_format": {
                     *         "name": "alpaca",
                     *         "column_mapping": {
                     *           "prompt": "question",
                     *           "completion": "answer",
                     *           "context": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The dataset \"support-answers\" was deleted."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What was done.
                         * @example The dataset "support-answers" was deleted.
                         */
                        message: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_running.pilot_running.training_running"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsAdapt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "column_mapping": {
                 *         "prompt": "question",
                 *         "completion": "answer"
                 *       },
                 *       "recipe_specification": {
                 *         "recipes": {
                 *           "deduplication": true
                 *         }
                 *       },
                 *       "job_specification": {
                 *         "idempotency_key": "nightly-2026-11-22"
                 *       },
                 *       "brand_controls": {
                 *         "length": "concise"
                 *       },
                 *       "estimate": true,
                 *       "language_expansion": {
                 *         "type": "translate",
                 *         "languages": [
                 *           "es"
                 *         ],
                 *         "sample_rate": 0.5
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AdaptRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": null,
                     *       "estimatedMinutes": 1.4,
                     *       "estimateBasis": "measured over 3 runs with qwen3-4b",
                     *       "estimatedCreditsConsumed": 4,
                     *       "estimate": true,
                     *       "multimodalPricingApplied": false
                     *     }
                     */
                    "application/json": components["schemas"]["RunQuote"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_mapping_required.column_unknown.language_unsupported"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found.pilot_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready.dataset_running.pilot_running.pilot_without_winner.pilot_outdated"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.model_cannot_see.idempotency_mismatch.not_available_yet"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsAppendsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
                /** @description Id of the append. */
                append_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "append_id": "5d0c2b7e-8f14-4a3d-9b6e-1c7a4f2e8d05",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "pending",
                     *       "appended_rows": 1,
                     *       "version": null,
                     *       "upload_instructions": null,
                     *       "error_data": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Append"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.append_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsAugment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "domain_rows": 100,
                 *       "general_rows": 100,
                 *       "estimate": true,
                 *       "idempotency_key": "nightly-2026-11-22"
                 *     }
                 */
                "application/json": components["schemas"]["AugmentRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": null,
                     *       "status": null,
                     *       "domain_rows": 100,
                     *       "general_rows": 100,
                     *       "similar_rows": 0,
                     *       "estimated_credits_consumed": 2,
                     *       "estimate": true,
                     *       "pool_rows": 2400
                     *     }
                     */
                    "application/json": components["schemas"]["AugmentationStarted"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_mapping_required.images_unsupported.topics_unknown.nothing_to_add"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready.dataset_running"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.not_available_yet.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "running",
                     *       "row_count": 250,
                     *       "progress": {
                     *         "percent": 48,
                     *         "processed_rows": 120,
                     *         "total_rows": 250
                     *       },
                     *       "error_data": null,
                     *       "error": null,
                     *       "waits_for": null
                     *     }
                     */
                    "application/json": components["schemas"]["DatasetStatusRecord"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsCustomEvalsList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "custom_eval_id": "5b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42",
                     *           "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *           "status": "succeeded",
                     *           "judge_prompt": "Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does.",
                     *           "name": "Sources",
                     *           "score_before": 2.1,
                     *           "score_after": 4.8,
                     *           "improvement_percent": 128.6,
                     *           "scored_rows": 40,
                     *           "error_message": null,
                     *           "created_at": "2026-11-22T10:00:00.000Z",
                     *           "completed_at": "2026-11-22T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Custom evaluations, newest first, at most 40. */
                        items: components["schemas"]["CustomEval"][];
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsCustomEvalsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "judge_prompt": "Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does.",
                 *       "name": "Sources"
                 *     }
                 */
                "application/json": components["schemas"]["CreateCustomEvalRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "custom_eval_id": "5b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "pending",
                     *       "judge_prompt": "Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does.",
                     *       "name": "Sources",
                     *       "score_before": null,
                     *       "score_after": null,
                     *       "improvement_percent": null,
                     *       "scored_rows": null,
                     *       "error_message": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["CustomEval"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.invalid_judge_prompt"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.dataset_not_adapted.not_available_yet"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsCustomEvalsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
                /** @description Id of the custom evaluation, 1 to 200 characters. */
                custom_eval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "custom_eval_id": "5b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "judge_prompt": "Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does.",
                     *       "name": "Sources",
                     *       "score_before": 2.1,
                     *       "score_after": 4.8,
                     *       "improvement_percent": 128.6,
                     *       "scored_rows": 40,
                     *       "error_message": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "completed_at": "2026-11-22T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CustomEval"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.custom_eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsDiff: {
        parameters: {
            query: {
                /** @description Version before, from 1 */
                from: number;
                /** @description Version after, from 1; also an older one than `from` */
                to: number;
                /** @description Only rows that were changed, added or removed. */
                kind?: "changed" | "added" | "removed";
                /** @description `next_after` of the previous page, with the same `kind`. */
                after?: string;
                /** @description Rows a page, 1 to 200, default 50 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "from": 1,
                     *       "to": 2,
                     *       "status": "ready",
                     *       "counts": {
                     *         "added": 0,
                     *         "removed": 3,
                     *         "changed": 180,
                     *         "unchanged": 67
                     *       },
                     *       "columns": [
                     *         "question",
                     *         "answer",
                     *         "enhanced_completion"
                     *       ],
                     *       "rows": [
                     *         {
                     *           "kind": "changed",
                     *           "row": 12,
                     *           "target": null,
                     *           "before": {
                     *             "cells": [
                     *               {
                     *                 "column": "answer",
                     *                 "text": "Open Settings, then Security, and",
                     *                 "truncated": false
                     *               }
                     *             ]
                     *           },
                     *           "after": {
                     *             "cells": [
                     *               {
                     *                 "column": "answer",
                     *                 "text": "Open Settings, then Security.",
                     *                 "truncated": false
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "next_after": null
                     *     }
                     */
                    "application/json": components["schemas"]["Diff"];
                };
            };
            /** @description Accepted: look after it at Location */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description Where its state is told */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "from": 1,
                     *       "to": 2,
                     *       "status": "pending",
                     *       "counts": null,
                     *       "columns": [],
                     *       "rows": [],
                     *       "next_after": null
                     *     }
                     */
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.version_not_found.route_not_found"];
            422: components["responses"]["Problem.422.no_data_yet.dataset_too_large"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsDownload: {
        parameters: {
            query?: {
                /** @description Format of the file; `parquet` is one Parquet file. `openai`, `sharegpt`, `alpaca` and `trl` are JSON Lines as these tools read them; `dataset_info` (LLaMA-Factory) and `axolotl` are the files that tell those how. Default: the format of the upload, JSONL for documents. */
                fileFormat?: "csv" | "json" | "jsonl" | "parquet" | "openai" | "sharegpt" | "alpaca" | "trl" | "dataset_info" | "axolotl";
                /** @description Adaptation whose rows are wanted, as its start answered it. Default: the latest that succeeded, or the latest where none has. */
                run_id?: string;
                /** @description Version whose rows are meant, from 1, instead of `run_id` */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is there */
            307: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description Where the file is, for fifteen minutes */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem.400.invalid_request.column_mapping_required"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.run_not_found.version_not_found.route_not_found"];
            422: components["responses"]["Problem.422.no_data_yet.export_failed"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable.export_pending"];
        };
    };
    datasetsDownloadLink: {
        parameters: {
            query?: {
                /** @description Format of the file; `parquet` is one Parquet file. `openai`, `sharegpt`, `alpaca` and `trl` are JSON Lines as these tools read them; `dataset_info` (LLaMA-Factory) and `axolotl` are the files that tell those how. Default: the format of the upload, JSONL for documents. */
                fileFormat?: "csv" | "json" | "jsonl" | "parquet" | "openai" | "sharegpt" | "alpaca" | "trl" | "dataset_info" | "axolotl";
                /** @description Adaptation whose rows are wanted, as its start answered it. Default: the latest that succeeded, or the latest where none has. */
                run_id?: string;
                /** @description Version whose rows are meant, from 1, instead of `run_id` */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://tunesmith.s3.amazonaws.com/exports/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93/data.csv?X-Amz-Expires=900",
                     *       "file_name": "support-answers.csv",
                     *       "expires_at": "2026-11-22T10:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DownloadLink"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.column_mapping_required"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.run_not_found.version_not_found.route_not_found"];
            422: components["responses"]["Problem.422.no_data_yet.export_failed"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable.export_pending"];
        };
    };
    datasetsEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "quality": {
                     *         "grade_before": "C",
                     *         "grade_after": "B",
                     *         "score_before": 6,
                     *         "score_after": 7.9,
                     *         "improvement_percent": 31.7,
                     *         "percentile_after": 92.3
                     *       },
                     *       "raw_results": {
                     *         "sample": {
                     *           "sampled": 40
                     *         }
                     *       },
                     *       "history": []
                     *     }
                     */
                    "application/json": components["schemas"]["Evaluation"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsExportLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "huggingface": null,
                     *       "kaggle": null,
                     *       "google_sheets": null
                     *     }
                     */
                    "application/json": components["schemas"]["ExportLinks"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsExtendTrajectories: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "job_specification": {
                 *         "idempotency_key": "nightly-2026-11-22"
                 *       },
                 *       "estimate": true
                 *     }
                 */
                "application/json": components["schemas"]["ExtendTrajectoriesRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": null,
                     *       "estimatedMinutes": 1.4,
                     *       "estimateBasis": "measured over 3 runs with qwen3-4b",
                     *       "estimatedCreditsConsumed": 4,
                     *       "estimate": true,
                     *       "multimodalPricingApplied": false,
                     *       "dataset_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["ExtensionQuote"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_mapping_required.images_unsupported.nothing_to_add.column_unknown"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready.dataset_running"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsBestLaunchConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "best_job_config": {
                     *         "finetune_job_id": "e4b0c9d8-1f2a-4b3c-8d5e-6f7a8b9c0d1e",
                     *         "training_experiment_id": "8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40",
                     *         "original_model_name": "Qwen/Qwen3.5-0.8B",
                     *         "trained_model_name": "support-answers",
                     *         "training_method": "sft",
                     *         "training_type": "lora",
                     *         "data_format": "chat",
                     *         "hyperparams": {
                     *           "n_epochs": 3,
                     *           "learning_rate": 0.0001
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BestLaunchConfig"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsLint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "column_mapping": {
                 *         "prompt": "question",
                 *         "completion": "answer"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LintRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "row_count": 250,
                     *       "first_row": 0,
                     *       "checked_rows": 250,
                     *       "next_row": null,
                     *       "counts": {
                     *         "completion_empty": 1
                     *       },
                     *       "findings": [
                     *         {
                     *           "row": 12,
                     *           "check": "completion_empty",
                     *           "message": "The completion has no text."
                     *         }
                     *       ],
                     *       "omitted_findings": 0
                     *     }
                     */
                    "application/json": components["schemas"]["LintReport"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_unknown"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.no_data_yet"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsLocalize: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pairs": [
                 *         {
                 *           "country": "MX",
                 *           "language": "es"
                 *         }
                 *       ],
                 *       "sample_rate": 0.5,
                 *       "estimate": true,
                 *       "idempotency_key": "nightly-2026-11-22"
                 *     }
                 */
                "application/json": components["schemas"]["LocalizeRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": null,
                     *       "status": null,
                     *       "estimated_credits_consumed": 2,
                     *       "estimate": true,
                     *       "estimated_new_rows": 125
                     *     }
                     */
                    "application/json": components["schemas"]["ExpansionStarted"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_mapping_required.images_unsupported.nothing_to_add.language_unsupported"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready.dataset_running"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsPilotsList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "pilot_id": "b7e2d4c6-3a91-4f08-8c5d-2e6f7a9b1c30",
                     *           "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *           "status": "succeeded",
                     *           "sample_rows": 30,
                     *           "progress": {
                     *             "rows_done": 30,
                     *             "rows_total": 30
                     *           },
                     *           "column_mapping": {
                     *             "prompt": "question",
                     *             "completion": "answer"
                     *           },
                     *           "arms": [
                     *             {
                     *               "arm": 1,
                     *               "name": "Concise",
                     *               "recipe_specification": {
                     *                 "recipes": {
                     *                   "deduplication": true
                     *                 }
                     *               },
                     *               "brand_controls": {
                     *                 "length": "concise"
                     *               },
                     *               "status": "finished",
                     *               "rows": {
                     *                 "done": 30,
                     *                 "changed": 21,
                     *                 "kept": 9,
                     *                 "dropped": 0,
                     *                 "failed": 0
                     *               },
                     *               "against_original": {
                     *                 "rows": 30,
                     *                 "better": 18,
                     *                 "worse": 1,
                     *                 "same": 9,
                     *                 "undecided": 2,
                     *                 "win_rate": 0.947,
                     *                 "interval": [
                     *                   0.692,
                     *                   0.993
                     *                 ]
                     *               },
                     *               "harm": {
                     *                 "rows": 1.2,
                     *                 "share": 0.04,
                     *                 "interval": [
                     *                   0.004,
                     *                   0.176
                     *                 ]
                     *               },
                     *               "characters": {
                     *                 "before": 118,
                     *                 "after": 41
                     *               },
                     *               "tokens": {
                     *                 "input": 8410,
                     *                 "output": 2130,
                     *                 "calls": 52
                     *               },
                     *               "whole_dataset": {
                     *                 "credits": 3,
                     *                 "minutes": 1.4,
                     *                 "tokens": 77300
                     *               }
                     *             }
                     *           ],
                     *           "recommendation": {
                     *             "arm": 1,
                     *             "certainty": "better_than_original",
                     *             "reason": "\"Concise\" is better in 18 of 19 rows that differ."
                     *           },
                     *           "judge": {
                     *             "model": "qwen3-4b",
                     *             "believed_for": [
                     *               "number",
                     *               "form"
                     *             ]
                     *           },
                     *           "credits_reserved": 1,
                     *           "credits_charged": 1,
                     *           "error": null,
                     *           "created_at": "2026-11-22T10:00:00.000Z",
                     *           "ended_at": "2026-11-22T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PilotList"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsPilotsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "column_mapping": {
                 *         "prompt": "question",
                 *         "completion": "answer"
                 *       },
                 *       "arms": "auto",
                 *       "sample_rows": 30,
                 *       "job_specification": {
                 *         "idempotency_key": "nightly-2026-11-22"
                 *       },
                 *       "estimate": true
                 *     }
                 */
                "application/json": components["schemas"]["PilotRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pilot_id": null,
                     *       "estimate": true,
                     *       "sample_rows": 30,
                     *       "arms": [
                     *         {
                     *           "name": "Concise",
                     *           "recipe_specification": {
                     *             "recipes": {
                     *               "deduplication": true
                     *             }
                     *           },
                     *           "brand_controls": {
                     *             "length": "concise"
                     *           }
                     *         }
                     *       ],
                     *       "estimated_credits": 1,
                     *       "estimated_minutes": 0.8,
                     *       "notes": []
                     *     }
                     */
                    "application/json": components["schemas"]["PilotLaunch"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_unknown"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready.dataset_running.pilot_running"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.model_cannot_see.idempotency_mismatch.not_available_yet"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsPilotsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
                /** @description Id of the pilot, 1 to 200 characters. */
                pilot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pilot_id": "b7e2d4c6-3a91-4f08-8c5d-2e6f7a9b1c30",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "sample_rows": 30,
                     *       "progress": {
                     *         "rows_done": 30,
                     *         "rows_total": 30
                     *       },
                     *       "column_mapping": {
                     *         "prompt": "question",
                     *         "completion": "answer"
                     *       },
                     *       "arms": [
                     *         {
                     *           "arm": 1,
                     *           "name": "Concise",
                     *           "recipe_specification": {
                     *             "recipes": {
                     *               "deduplication": true
                     *             }
                     *           },
                     *           "brand_controls": {
                     *             "length": "concise"
                     *           },
                     *           "status": "finished",
                     *           "rows": {
                     *             "done": 30,
                     *             "changed": 21,
                     *             "kept": 9,
                     *             "dropped": 0,
                     *             "failed": 0
                     *           },
                     *           "against_original": {
                     *             "rows": 30,
                     *             "better": 18,
                     *             "worse": 1,
                     *             "same": 9,
                     *             "undecided": 2,
                     *             "win_rate": 0.947,
                     *             "interval": [
                     *               0.692,
                     *               0.993
                     *             ]
                     *           },
                     *           "harm": {
                     *             "rows": 1.2,
                     *             "share": 0.04,
                     *             "interval": [
                     *               0.004,
                     *               0.176
                     *             ]
                     *           },
                     *           "characters": {
                     *             "before": 118,
                     *             "after": 41
                     *           },
                     *           "tokens": {
                     *             "input": 8410,
                     *             "output": 2130,
                     *             "calls": 52
                     *           },
                     *           "whole_dataset": {
                     *             "credits": 3,
                     *             "minutes": 1.4,
                     *             "tokens": 77300
                     *           }
                     *         }
                     *       ],
                     *       "recommendation": {
                     *         "arm": 1,
                     *         "certainty": "better_than_original",
                     *         "reason": "\"Concise\" is better in 18 of 19 rows that differ."
                     *       },
                     *       "judge": {
                     *         "model": "qwen3-4b",
                     *         "believed_for": [
                     *           "number",
                     *           "form"
                     *         ]
                     *       },
                     *       "credits_reserved": 1,
                     *       "credits_charged": 1,
                     *       "error": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "ended_at": "2026-11-22T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Pilot"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.pilot_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsPilotsCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
                /** @description Id of the pilot, 1 to 200 characters. */
                pilot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pilot_id": "b7e2d4c6-3a91-4f08-8c5d-2e6f7a9b1c30",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "running",
                     *       "sample_rows": 30,
                     *       "progress": {
                     *         "rows_done": 0,
                     *         "rows_total": 30
                     *       },
                     *       "column_mapping": {
                     *         "prompt": "question",
                     *         "completion": "answer"
                     *       },
                     *       "arms": [],
                     *       "recommendation": null,
                     *       "judge": null,
                     *       "credits_reserved": 1,
                     *       "credits_charged": null,
                     *       "error": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Pilot"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.pilot_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsPilotsRows: {
        parameters: {
            query?: {
                /** @description Place in the sample of the first row of the page, from 0; default 0 */
                offset?: number;
                /** @description Rows a page, 1 to 50, default 20 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
                /** @description Id of the pilot, 1 to 200 characters. */
                pilot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "row": 12,
                     *           "request": {
                     *             "text": "how do i descale a kettle",
                     *             "truncated": false
                     *           },
                     *           "original": {
                     *             "text": "Use vinegar.",
                     *             "truncated": false
                     *           },
                     *           "answers": [
                     *             {
                     *               "arm": 1,
                     *               "outcome": "changed",
                     *               "code": null,
                     *               "message": null,
                     *               "answer": {
                     *                 "text": "Boil water and vinegar in it, and rinse it.",
                     *                 "truncated": false
                     *               },
                     *               "verdict": "better"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "total": 30
                     *     }
                     */
                    "application/json": components["schemas"]["PilotRowsPage"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.pilot_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsPublish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": "huggingface",
                 *       "target_spec": {
                 *         "repo_name": "acme/support-answers",
                 *         "license": "cc-by-4.0"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Platform to publish to.
                     * @enum {string}
                     */
                    target: "huggingface" | "kaggle";
                    /**
                     * @description Settings of the platform. For `huggingface`: `repo_name` (required; `name` or `namespace/name`), `private` (default: true), `license` (an identifier of the platform, such as `cc-by-4.0`), `version` (of the dataset; default: the rows that a download has) and `commit_message`. For `kaggle`: the same, and `title` (6 to 50 characters; default: the name); a name has 6 to 50 lower-case letters, digits and hyphens.
                     * @example {
                     *       "repo_name": "acme/support-answers",
                     *       "license": "cc-by-4.0"
                     *     }
                     */
                    target_spec?: {
                        [key: string]: components["schemas"]["JsonValue"];
                    };
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "publish_id": "5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "queued"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the publication.
                         * @example 5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10
                         */
                        publish_id: string;
                        /**
                         * @description Status of the publication: `queued`, `running`, `succeeded` or `failed`.
                         * @example queued
                         */
                        status: string;
                        /** @description What happens next, or why it failed. */
                        message?: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.version_not_found.route_not_found"];
            409: components["responses"]["Problem.409.publication_active"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.no_data_yet"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            501: components["responses"]["Problem.501.publish_not_implemented"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsPublicationsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
                /** @description `publish_id` of the start of the publication. */
                publish_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "publish_id": "5b8a103f-0c5a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "target": "huggingface",
                     *       "repository": "acme/support-answers",
                     *       "private": true,
                     *       "progress_percent": 100,
                     *       "url": "https://huggingface.co/datasets/acme/support-answers",
                     *       "commit": "8d7be65e1f0c4a52b2f9a3d1c6e5f4a3b2c1d0e9",
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "updated_at": "2026-11-22T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Publication"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.publication_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsReport: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Rows a page, 1 to 1,000, default 100 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *       "status": "succeeded",
                     *       "started_at": "2026-11-22T10:00:00.000Z",
                     *       "ended_at": "2026-11-22T10:00:00.000Z",
                     *       "error_data": null,
                     *       "warnings": [],
                     *       "rows": {
                     *         "total": 250,
                     *         "changed": 61,
                     *         "kept": 186,
                     *         "dropped": 3,
                     *         "failed": 0,
                     *         "not_selected": 0,
                     *         "expanded": 0,
                     *         "expansion_failed": 0
                     *       },
                     *       "stages": [
                     *         {
                     *           "name": "adapt",
                     *           "rows_in": 250,
                     *           "rows_out": 247,
                     *           "started_at": "2026-11-22T10:00:00.000Z",
                     *           "ended_at": "2026-11-22T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "tokens": {
                     *         "input": 91204,
                     *         "output": 12880,
                     *         "calls": 402
                     *       },
                     *       "edits": [
                     *         {
                     *           "kind": "completed",
                     *           "evidence": "checked",
                     *           "rows": 24,
                     *           "words_kept": 0.93
                     *         }
                     *       ],
                     *       "safety_scorers": {},
                     *       "doubts": {
                     *         "doubted": 14,
                     *         "doubtful": 9,
                     *         "share_wrong": 0.04,
                     *         "looked_at": {
                     *           "execution": 0,
                     *           "neighbours": 250
                     *         },
                     *         "not_looked_at": 0
                     *       },
                     *       "invention": null,
                     *       "credits": {
                     *         "reserved": 3,
                     *         "settled": 3
                     *       },
                     *       "models": {
                     *         "answer": "qwen3-4b",
                     *         "judge": "qwen3-4b"
                     *       },
                     *       "left_out": {},
                     *       "prompt_versions": {
                     *         "answer": "7"
                     *       },
                     *       "reported_rows": [
                     *         {
                     *           "row": 17,
                     *           "outcome": "changed",
                     *           "code": "length_missed",
                     *           "message": "The completion has 82 words, wanted 26 to 70.",
                     *           "similar_to_row": null,
                     *           "target": null,
                     *           "sources": []
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["RunReport"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.cursor_invalid"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            422: components["responses"]["Problem.422.no_data_yet"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsReviewList: {
        parameters: {
            query?: {
                /** @description Rows, 1 to 50, default 10 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *       "version": 2,
                     *       "rows": [
                     *         {
                     *           "row": 17,
                     *           "content_hash": "5f2b6c1d9a3e4f708192a3b4c5d6e7f8",
                     *           "prompt": "How do I reset my password?",
                     *           "original": "Setings, then Reset.",
                     *           "completion": "Settings, then Reset.",
                     *           "proposal": "Open Settings, then Security, and choose \"Reset password\".",
                     *           "doubt": {
                     *             "probability": 0.94,
                     *             "reasons": [
                     *               {
                     *                 "witness": "execution",
                     *                 "kind": "example_failed",
                     *                 "message": "The example “f(2) == 3” yields “2”, not “3”."
                     *               }
                     *             ]
                     *           },
                     *           "drawn_as": "doubtful"
                     *         }
                     *       ],
                     *       "worth_a_look": 23,
                     *       "verdicts": {
                     *         "right": 41,
                     *         "wrong": 4,
                     *         "mended": 12,
                     *         "disputed": 1,
                     *         "stale": 2
                     *       },
                     *       "witnesses": [
                     *         {
                     *           "witness": "neighbours",
                     *           "kind": "label_contradicted",
                     *           "rows": 24,
                     *           "share_wrong": 0.71,
                     *           "share_interval": [
                     *             0.51,
                     *             0.85
                     *           ],
                     *           "share_stated": 0.86
                     *         }
                     *       ],
                     *       "grade": {
                     *         "score": 8.6,
                     *         "grade": "B",
                     *         "score_interval": [
                     *           7.9,
                     *           9.1
                     *         ],
                     *         "verdicts": 58,
                     *         "without_verdicts": {
                     *           "score": 9.2,
                     *           "score_interval": [
                     *             7.9,
                     *             9.1
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Review"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.column_mapping_required"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.rows_pending"];
            422: components["responses"]["Problem.422.no_data_yet.dataset_too_large"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsReviewAlike: {
        parameters: {
            query?: {
                /** @description The text that the row was mended to, 1 to 2,000 characters. Default: that of the stored verdict, the own one first. */
                completion?: string;
                /** @description Whose stored verdict is meant, 1 to 100 characters. Default: the id of the API key. */
                reviewer?: string;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
                /** @description Number of the mended row, from 0. */
                row: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "row": 93,
                     *           "content_hash": "5f2b6c1d9a3e4f708192a3b4c5d6e7f8",
                     *           "prompt": "Where is my invoice?",
                     *           "completion": "As an AI model, I think it is under Billing.",
                     *           "proposal": "It is under Billing.",
                     *           "why": "same_text"
                     *         }
                     *       ],
                     *       "is_complete": true
                     *     }
                     */
                    "application/json": components["schemas"]["AlikeRows"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.column_mapping_required"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.row_not_found.route_not_found"];
            409: components["responses"]["Problem.409.rows_pending"];
            422: components["responses"]["Problem.422.no_data_yet.dataset_too_large"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsRowsList: {
        parameters: {
            query?: {
                /** @description The adaptation whose rows are meant. Default: the latest that succeeded, or else the latest that ended; without one the rows as they came. */
                run_id?: string;
                /** @description Version whose rows are meant, from 1, instead of `run_id` */
                version?: number;
                /** @description Place of the first row among those that match, from 0; default 0 */
                offset?: number;
                /** @description Rows a page, 1 to 200, default 50 */
                limit?: number;
                /** @description Only rows with this outcome. */
                outcome?: "changed" | "kept" | "dropped" | "failed" | "not_selected" | "expanded" | "expansion_failed";
                /** @description Only rows with this code of a reason. */
                code?: string;
                /** @description Only rows in this language. */
                language?: string;
                /** @description Only rows whose completion changed its length like this. */
                length_change?: "shorter" | "same" | "longer";
                /** @description `true`: only rows with a `score`, the sample of the evaluation. `false`: only the others. Until the evaluation has ended no row has one. */
                scored?: "true" | "false";
                /** @description `true`: only rows with a `doubt`. `false`: only the others. */
                doubted?: "true" | "false";
                /** @description Only rows with this text in a cell, before or after, in any case: 1 to 200 characters. Images are not searched. */
                search?: string;
                /** @description Only rows from this one on; to search on where `next_row` says */
                first_row?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *       "status": "succeeded",
                     *       "columns": [
                     *         {
                     *           "name": "answer",
                     *           "side": "before",
                     *           "role": "completion"
                     *         }
                     *       ],
                     *       "columns_total": 2,
                     *       "total": 250,
                     *       "matching": 61,
                     *       "offset": 0,
                     *       "next_row": null,
                     *       "facets": {
                     *         "outcome": [
                     *           {
                     *             "value": "changed",
                     *             "rows": 61
                     *           }
                     *         ],
                     *         "code": [],
                     *         "language": [
                     *           {
                     *             "value": "en",
                     *             "rows": 61
                     *           }
                     *         ],
                     *         "length_change": [
                     *           {
                     *             "value": "longer",
                     *             "rows": 61
                     *           }
                     *         ]
                     *       },
                     *       "rows": [
                     *         {
                     *           "row": 12,
                     *           "source_row": null,
                     *           "target": null,
                     *           "outcome": "changed",
                     *           "code": null,
                     *           "message": null,
                     *           "similar_to_row": null,
                     *           "language": "en",
                     *           "length_change": "longer",
                     *           "edit": {
                     *             "kind": "completed",
                     *             "evidence": "checked",
                     *             "words_kept": 1
                     *           },
                     *           "doubt": {
                     *             "probability": 0.94,
                     *             "reasons": [
                     *               {
                     *                 "witness": "execution",
                     *                 "kind": "example_failed",
                     *                 "message": "The example “f(2) == 3” yields “2”, not “3”."
                     *               }
                     *             ]
                     *           },
                     *           "score": {
                     *             "before": 5.2,
                     *             "after": 8.1,
                     *             "preferred": "after"
                     *           },
                     *           "notes": [],
                     *           "sources": [],
                     *           "before": [
                     *             {
                     *               "column": "answer",
                     *               "text": "Open Settings, then Security, and",
                     *               "truncated": false
                     *             }
                     *           ],
                     *           "after": [
                     *             {
                     *               "column": "enhanced_completion",
                     *               "text": "Open Settings, then Security, and choose \"Reset password\".",
                     *               "truncated": false
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RowsPage"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.run_not_found.version_not_found.route_not_found"];
            409: components["responses"]["Problem.409.rows_pending"];
            422: components["responses"]["Problem.422.no_data_yet.dataset_too_large"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsRowsAppend: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key of 1 to 255 characters. A repeated request with the same key and body returns the first response. Without one the service makes one and returns it. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "rows": [
                 *         {
                 *           "question": "How do I reset my password?",
                 *           "answer": "Settings, then Reset."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AppendRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description The key that a repetition sends */
                    "Idempotency-Key"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "append_id": "5d0c2b7e-8f14-4a3d-9b6e-1c7a4f2e8d05",
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "pending",
                     *       "appended_rows": 1,
                     *       "version": null,
                     *       "upload_instructions": null,
                     *       "error_data": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Append"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.upload_missing"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready"];
            413: components["responses"]["Problem.413.payload_too_large.file_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.schema_mismatch.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.uploads_limit_reached.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsRowsGet: {
        parameters: {
            query?: {
                /** @description The adaptation whose rows are meant. Default: the latest that succeeded, or else the latest that ended; without one the rows as they came. */
                run_id?: string;
                /** @description Version whose rows are meant, from 1, instead of `run_id` */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
                /** @description Number of the row, from 0. */
                row: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *       "status": "succeeded",
                     *       "columns": [
                     *         {
                     *           "name": "answer",
                     *           "side": "before",
                     *           "role": "completion"
                     *         }
                     *       ],
                     *       "columns_total": 2,
                     *       "total": 250,
                     *       "row": {
                     *         "row": 12,
                     *         "source_row": null,
                     *         "target": null,
                     *         "outcome": "changed",
                     *         "code": null,
                     *         "message": null,
                     *         "similar_to_row": null,
                     *         "language": "en",
                     *         "length_change": "longer",
                     *         "edit": {
                     *           "kind": "completed",
                     *           "evidence": "checked",
                     *           "words_kept": 1
                     *         },
                     *         "doubt": {
                     *           "probability": 0.94,
                     *           "reasons": [
                     *             {
                     *               "witness": "execution",
                     *               "kind": "example_failed",
                     *               "message": "The example “f(2) == 3” yields “2”, not “3”."
                     *             }
                     *           ]
                     *         },
                     *         "score": {
                     *           "before": 5.2,
                     *           "after": 8.1,
                     *           "preferred": "after"
                     *         },
                     *         "notes": [],
                     *         "sources": [],
                     *         "before": [
                     *           {
                     *             "column": "answer",
                     *             "text": "Open Settings, then Security, and",
                     *             "truncated": false
                     *           }
                     *         ],
                     *         "after": [
                     *           {
                     *             "column": "enhanced_completion",
                     *             "text": "Open Settings, then Security, and choose \"Reset password\".",
                     *             "truncated": false
                     *           }
                     *         ]
                     *       },
                     *       "url": null
                     *     }
                     */
                    "application/json": components["schemas"]["RowDetail"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.run_not_found.version_not_found.row_not_found.route_not_found"];
            409: components["responses"]["Problem.409.rows_pending"];
            422: components["responses"]["Problem.422.no_data_yet.dataset_too_large"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "column_mapping": {
                 *         "prompt": "question",
                 *         "completion": "answer"
                 *       },
                 *       "recipe_specification": {
                 *         "recipes": {
                 *           "deduplication": true
                 *         }
                 *       },
                 *       "job_specification": {
                 *         "idempotency_key": "nightly-2026-11-22"
                 *       },
                 *       "brand_controls": {
                 *         "length": "concise"
                 *       },
                 *       "estimate": true,
                 *       "language_expansion": {
                 *         "type": "translate",
                 *         "languages": [
                 *           "es"
                 *         ],
                 *         "sample_rate": 0.5
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description The route is kept for older clients */
                    Deprecation?: "true";
                    /** @description The route that takes its place */
                    Link?: "</api/v1/datasets/{dataset_id}/adapt>; rel=\"successor-version\"";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": null,
                     *       "estimatedMinutes": 1.4,
                     *       "estimateBasis": "measured over 3 runs with qwen3-4b",
                     *       "estimatedCreditsConsumed": 4,
                     *       "estimate": true,
                     *       "multimodalPricingApplied": false
                     *     }
                     */
                    "application/json": components["schemas"]["RunQuote"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_mapping_required.column_unknown.language_unsupported"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready.dataset_running"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.model_cannot_see.idempotency_mismatch.not_available_yet"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsStartAdaption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "pending"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the dataset.
                         * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                         */
                        dataset_id: string;
                        /**
                         * @description Status of the dataset, or `preprocessing_failed` when the files of a batch do not have the same columns.
                         * @example pending
                         */
                        status: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "running",
                     *       "row_count": 250,
                     *       "progress": {
                     *         "percent": 48,
                     *         "processed_rows": 120,
                     *         "total_rows": 250
                     *       },
                     *       "error_data": null,
                     *       "error": null,
                     *       "waits_for": null
                     *     }
                     */
                    "application/json": components["schemas"]["DatasetStatusRecord"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsTranslate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "languages": [
                 *         "es"
                 *       ],
                 *       "sample_rate": 0.5,
                 *       "estimate": true,
                 *       "idempotency_key": "nightly-2026-11-22"
                 *     }
                 */
                "application/json": components["schemas"]["TranslateRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": null,
                     *       "status": null,
                     *       "estimated_credits_consumed": 2,
                     *       "estimate": true,
                     *       "estimated_new_rows": 125
                     *     }
                     */
                    "application/json": components["schemas"]["ExpansionStarted"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_mapping_required.images_unsupported.nothing_to_add.language_unsupported"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready.dataset_running"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsUploadsCompleteById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file_size_bytes": 48213
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Size of the uploaded file in bytes, 0 to 2,147,483,648. Another size is refused.
                     * @example 48213
                     */
                    file_size_bytes: number;
                    /** @description SHA-256 of the file, 64 hexadecimal digits. If given, it is checked. */
                    sha256?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "pending"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the dataset.
                         * @example 3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10
                         */
                        dataset_id: string;
                        /**
                         * @description Status of the dataset, or `preprocessing_failed` when the files of a batch do not have the same columns.
                         * @example pending
                         */
                        status: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.upload_missing.upload_mismatch.column_unknown"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready"];
            413: components["responses"]["Problem.413.payload_too_large.file_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.file_empty.file_unreadable"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsVerdictsList: {
        parameters: {
            query?: {
                /** @description Only verdicts after this place; `next_after` of the previous page. */
                after?: string;
                /** @description Verdicts a page, 1 to 1,000, default 100 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "verdicts": [
                     *         {
                     *           "row": 17,
                     *           "reviewer": "ada",
                     *           "verdict": "mended",
                     *           "completion": "Open Settings, then Security, and choose \"Reset password\".",
                     *           "content_hash": "5f2b6c1d9a3e4f708192a3b4c5d6e7f8",
                     *           "status": "current",
                     *           "version": 2,
                     *           "recorded_at": "2026-11-22T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_after": "17.ada"
                     *     }
                     */
                    "application/json": components["schemas"]["VerdictsPage"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.column_mapping_required"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.rows_pending"];
            422: components["responses"]["Problem.422.no_data_yet.dataset_too_large"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsVerdictsRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "verdicts": [
                 *         {
                 *           "row": 17,
                 *           "content_hash": "5f2b6c1d9a3e4f708192a3b4c5d6e7f8",
                 *           "verdict": "mended",
                 *           "completion": "Open Settings, then Security, and choose \"Reset password\".",
                 *           "drawn_as": "doubtful"
                 *         }
                 *       ],
                 *       "reviewer": "ada"
                 *     }
                 */
                "application/json": components["schemas"]["VerdictsRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recorded": 1,
                     *       "stale": [],
                     *       "worth_a_look": 23,
                     *       "verdicts": {
                     *         "right": 41,
                     *         "wrong": 4,
                     *         "mended": 12,
                     *         "disputed": 1,
                     *         "stale": 2
                     *       },
                     *       "witnesses": [
                     *         {
                     *           "witness": "neighbours",
                     *           "kind": "label_contradicted",
                     *           "rows": 24,
                     *           "share_wrong": 0.71,
                     *           "share_interval": [
                     *             0.51,
                     *             0.85
                     *           ],
                     *           "share_stated": 0.86
                     *         }
                     *       ],
                     *       "grade": {
                     *         "score": 8.6,
                     *         "grade": "B",
                     *         "score_interval": [
                     *           7.9,
                     *           9.1
                     *         ],
                     *         "verdicts": 58,
                     *         "without_verdicts": {
                     *           "score": 9.2,
                     *           "score_interval": [
                     *             7.9,
                     *             9.1
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedVerdicts"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_mapping_required"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.row_not_found.route_not_found"];
            409: components["responses"]["Problem.409.rows_pending"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.no_data_yet.dataset_too_large"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsVerdictsApply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "wrong": "drop",
                 *       "idempotency_key": "nightly-2026-11-22"
                 *     }
                 */
                "application/json": components["schemas"]["ApplyRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *       "version": 3,
                     *       "status": "running"
                     *     }
                     */
                    "application/json": components["schemas"]["AppliedVerdicts"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_mapping_required"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.rows_pending.dataset_not_ready.dataset_running"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.no_data_yet.dataset_too_large.nothing_to_apply.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsVersionsList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20 */
                limit?: number;
                /** @description Only versions with a lower number; `next_before` of the previous page */
                before?: number;
            };
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "versions": [
                     *         {
                     *           "version": 2,
                     *           "status": "succeeded",
                     *           "made_by": "adapt",
                     *           "parent_version": 1,
                     *           "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *           "pilot_id": null,
                     *           "row_count": 250,
                     *           "models": {
                     *             "answer": "qwen3-4b"
                     *           },
                     *           "prompt_versions": {
                     *             "improve_answer": "v2"
                     *           },
                     *           "configured_column_mapping": {
                     *             "prompt": "question",
                     *             "completion": "answer",
                     *             "context": []
                     *           },
                     *           "created_by_user_id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
                     *           "created_at": "2026-11-22T10:00:00.000Z",
                     *           "ended_at": "2026-11-22T10:00:00.000Z",
                     *           "deleted_at": null
                     *         }
                     *       ],
                     *       "next_before": null
                     *     }
                     */
                    "application/json": {
                        /** @description Versions of the dataset, newest first. */
                        versions: components["schemas"]["Version"][];
                        /** @description Pass it as `before` to get the next page; null on the last page. */
                        next_before: number | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    datasetsVersionsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the dataset, 1 to 200 characters. */
                dataset_id: string;
                /** @description Number of the version, from 1. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Version 2 of the dataset was deleted."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What was done.
                         * @example Version 2 of the dataset was deleted.
                         */
                        message: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.version_not_found.route_not_found"];
            409: components["responses"]["Problem.409.version_in_use"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20. */
                limit?: number;
                /** @description `last_id` of the previous page, up to 200 characters. */
                after?: string;
                /** @description Oldest first (default), or newest first. */
                order?: "asc" | "desc";
                /** @description What is ordered by. Default: `created_at`. */
                order_by?: "created_at" | "updated_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *           "object": "eval",
                     *           "created_at": 1795341600,
                     *           "name": "Capitals",
                     *           "metadata": {},
                     *           "data_source_config": {
                     *             "type": "custom",
                     *             "schema": {
                     *               "type": "object"
                     *             }
                     *           },
                     *           "testing_criteria": [
                     *             {
                     *               "type": "string_check",
                     *               "name": "matches",
                     *               "input": "{{ sample.output_text }}",
                     *               "reference": "{{ item.answer }}",
                     *               "operation": "eq"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "first_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *       "last_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "list";
                        /** @description Things of this page. */
                        data: components["schemas"]["Eval"][];
                        /**
                         * @description Whether there are further pages.
                         * @example false
                         */
                        has_more: boolean;
                        /**
                         * @description Id of the first; null if there are none.
                         * @example eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f
                         */
                        first_id: string | null;
                        /**
                         * @description Id of the last; pass it as `after` for the next page. Null if there are none.
                         * @example eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f
                         */
                        last_id: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Capitals",
                 *       "metadata": {
                 *         "team": "support"
                 *       },
                 *       "data_source_config": {
                 *         "type": "custom",
                 *         "item_schema": {
                 *           "type": "object"
                 *         }
                 *       },
                 *       "testing_criteria": [
                 *         {
                 *           "type": "string_check",
                 *           "name": "matches",
                 *           "input": "{{ sample.output_text }}",
                 *           "reference": "{{ item.answer }}",
                 *           "operation": "eq"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateEvalRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *       "object": "eval",
                     *       "created_at": 1795341600,
                     *       "name": "Capitals",
                     *       "metadata": {},
                     *       "data_source_config": {
                     *         "type": "custom",
                     *         "schema": {
                     *           "type": "object"
                     *         }
                     *       },
                     *       "testing_criteria": [
                     *         {
                     *           "type": "string_check",
                     *           "name": "matches",
                     *           "input": "{{ sample.output_text }}",
                     *           "reference": "{{ item.answer }}",
                     *           "operation": "eq"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Eval"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *       "object": "eval",
                     *       "created_at": 1795341600,
                     *       "name": "Capitals",
                     *       "metadata": {},
                     *       "data_source_config": {
                     *         "type": "custom",
                     *         "schema": {
                     *           "type": "object"
                     *         }
                     *       },
                     *       "testing_criteria": [
                     *         {
                     *           "type": "string_check",
                     *           "name": "matches",
                     *           "input": "{{ sample.output_text }}",
                     *           "reference": "{{ item.answer }}",
                     *           "operation": "eq"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Eval"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Capitals",
                 *       "metadata": {
                 *         "team": "support"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateEvalRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *       "object": "eval",
                     *       "created_at": 1795341600,
                     *       "name": "Capitals",
                     *       "metadata": {},
                     *       "data_source_config": {
                     *         "type": "custom",
                     *         "schema": {
                     *           "type": "object"
                     *         }
                     *       },
                     *       "testing_criteria": [
                     *         {
                     *           "type": "string_check",
                     *           "name": "matches",
                     *           "input": "{{ sample.output_text }}",
                     *           "reference": "{{ item.answer }}",
                     *           "operation": "eq"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Eval"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "eval.deleted",
                     *       "deleted": true,
                     *       "eval_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "eval.deleted";
                        /**
                         * @description Always true.
                         * @constant
                         */
                        deleted: true;
                        /**
                         * @description Id of the eval.
                         * @example eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f
                         */
                        eval_id: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsRunsList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20. */
                limit?: number;
                /** @description `last_id` of the previous page, up to 200 characters. */
                after?: string;
                /** @description Oldest first (default), or newest first. */
                order?: "asc" | "desc";
                /** @description Only runs with this status. */
                status?: "queued" | "in_progress" | "completed" | "canceled" | "failed";
            };
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60",
                     *           "object": "eval.run",
                     *           "eval_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *           "created_at": 1795341600,
                     *           "name": "Nightly",
                     *           "metadata": {},
                     *           "status": "completed",
                     *           "model": "",
                     *           "data_source": {
                     *             "type": "jsonl",
                     *             "source": {
                     *               "type": "file_content",
                     *               "content": []
                     *             }
                     *           },
                     *           "error": {
                     *             "code": "",
                     *             "message": ""
                     *           },
                     *           "report_url": "/api/v1/evals/eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f/runs/evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60/output_items",
                     *           "result_counts": {
                     *             "total": 100,
                     *             "passed": 88,
                     *             "failed": 12,
                     *             "errored": 0
                     *           },
                     *           "per_testing_criteria_results": [
                     *             {
                     *               "testing_criteria": "matches",
                     *               "passed": 88,
                     *               "failed": 12,
                     *               "errored": 0,
                     *               "pass_rate": 0.88,
                     *               "interval": [
                     *                 0.8019,
                     *                 0.93
                     *               ],
                     *               "mean_score": 0.88,
                     *               "judge_error": null,
                     *               "deciding_items": [
                     *                 "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0"
                     *               ]
                     *             }
                     *           ],
                     *           "per_model_usage": [
                     *             {
                     *               "model_name": "qwen3-4b",
                     *               "invocation_count": 100,
                     *               "prompt_tokens": 4200,
                     *               "completion_tokens": 900,
                     *               "cached_tokens": 0,
                     *               "total_tokens": 5100
                     *             }
                     *           ],
                     *           "pass_rate": 0.88,
                     *           "interval": [
                     *             0.8019,
                     *             0.93
                     *           ]
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "first_id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60",
                     *       "last_id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "list";
                        /** @description Things of this page. */
                        data: components["schemas"]["EvalRun"][];
                        /**
                         * @description Whether there are further pages.
                         * @example false
                         */
                        has_more: boolean;
                        /**
                         * @description Id of the first; null if there are none.
                         * @example evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60
                         */
                        first_id: string | null;
                        /**
                         * @description Id of the last; pass it as `after` for the next page. Null if there are none.
                         * @example evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60
                         */
                        last_id: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsRunsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nightly",
                 *       "metadata": {
                 *         "team": "support"
                 *       },
                 *       "data_source": {
                 *         "type": "jsonl",
                 *         "source": {
                 *           "type": "file_content",
                 *           "content": [
                 *             {
                 *               "item": {
                 *                 "question": "Capital of France?",
                 *                 "answer": "Paris"
                 *               },
                 *               "sample": {
                 *                 "output_text": "Paris"
                 *               }
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateEvalRunRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60",
                     *       "object": "eval.run",
                     *       "eval_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *       "created_at": 1795341600,
                     *       "name": "Nightly",
                     *       "metadata": {},
                     *       "status": "completed",
                     *       "model": "",
                     *       "data_source": {
                     *         "type": "jsonl",
                     *         "source": {
                     *           "type": "file_content",
                     *           "content": []
                     *         }
                     *       },
                     *       "error": {
                     *         "code": "",
                     *         "message": ""
                     *       },
                     *       "report_url": "/api/v1/evals/eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f/runs/evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60/output_items",
                     *       "result_counts": {
                     *         "total": 100,
                     *         "passed": 88,
                     *         "failed": 12,
                     *         "errored": 0
                     *       },
                     *       "per_testing_criteria_results": [
                     *         {
                     *           "testing_criteria": "matches",
                     *           "passed": 88,
                     *           "failed": 12,
                     *           "errored": 0,
                     *           "pass_rate": 0.88,
                     *           "interval": [
                     *             0.8019,
                     *             0.93
                     *           ],
                     *           "mean_score": 0.88,
                     *           "judge_error": null,
                     *           "deciding_items": [
                     *             "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0"
                     *           ]
                     *         }
                     *       ],
                     *       "per_model_usage": [
                     *         {
                     *           "model_name": "qwen3-4b",
                     *           "invocation_count": 100,
                     *           "prompt_tokens": 4200,
                     *           "completion_tokens": 900,
                     *           "cached_tokens": 0,
                     *           "total_tokens": 5100
                     *         }
                     *       ],
                     *       "pass_rate": 0.88,
                     *       "interval": [
                     *         0.8019,
                     *         0.93
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EvalRun"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.dataset_not_found.model_not_found.route_not_found"];
            409: components["responses"]["Problem.409.rows_pending"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.model_not_served"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsRunsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
                /** @description Id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60",
                     *       "object": "eval.run",
                     *       "eval_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *       "created_at": 1795341600,
                     *       "name": "Nightly",
                     *       "metadata": {},
                     *       "status": "completed",
                     *       "model": "",
                     *       "data_source": {
                     *         "type": "jsonl",
                     *         "source": {
                     *           "type": "file_content",
                     *           "content": []
                     *         }
                     *       },
                     *       "error": {
                     *         "code": "",
                     *         "message": ""
                     *       },
                     *       "report_url": "/api/v1/evals/eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f/runs/evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60/output_items",
                     *       "result_counts": {
                     *         "total": 100,
                     *         "passed": 88,
                     *         "failed": 12,
                     *         "errored": 0
                     *       },
                     *       "per_testing_criteria_results": [
                     *         {
                     *           "testing_criteria": "matches",
                     *           "passed": 88,
                     *           "failed": 12,
                     *           "errored": 0,
                     *           "pass_rate": 0.88,
                     *           "interval": [
                     *             0.8019,
                     *             0.93
                     *           ],
                     *           "mean_score": 0.88,
                     *           "judge_error": null,
                     *           "deciding_items": [
                     *             "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0"
                     *           ]
                     *         }
                     *       ],
                     *       "per_model_usage": [
                     *         {
                     *           "model_name": "qwen3-4b",
                     *           "invocation_count": 100,
                     *           "prompt_tokens": 4200,
                     *           "completion_tokens": 900,
                     *           "cached_tokens": 0,
                     *           "total_tokens": 5100
                     *         }
                     *       ],
                     *       "pass_rate": 0.88,
                     *       "interval": [
                     *         0.8019,
                     *         0.93
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EvalRun"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsRunsCancelAtItself: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
                /** @description Id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description The route is kept for older clients */
                    Deprecation?: "true";
                    /** @description The route that takes its place */
                    Link?: "</api/v1/evals/{eval_id}/runs/{run_id}/cancel>; rel=\"successor-version\"";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60",
                     *       "object": "eval.run",
                     *       "eval_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *       "created_at": 1795341600,
                     *       "name": "Nightly",
                     *       "metadata": {},
                     *       "status": "completed",
                     *       "model": "",
                     *       "data_source": {
                     *         "type": "jsonl",
                     *         "source": {
                     *           "type": "file_content",
                     *           "content": []
                     *         }
                     *       },
                     *       "error": {
                     *         "code": "",
                     *         "message": ""
                     *       },
                     *       "report_url": "/api/v1/evals/eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f/runs/evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60/output_items",
                     *       "result_counts": {
                     *         "total": 100,
                     *         "passed": 88,
                     *         "failed": 12,
                     *         "errored": 0
                     *       },
                     *       "per_testing_criteria_results": [
                     *         {
                     *           "testing_criteria": "matches",
                     *           "passed": 88,
                     *           "failed": 12,
                     *           "errored": 0,
                     *           "pass_rate": 0.88,
                     *           "interval": [
                     *             0.8019,
                     *             0.93
                     *           ],
                     *           "mean_score": 0.88,
                     *           "judge_error": null,
                     *           "deciding_items": [
                     *             "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0"
                     *           ]
                     *         }
                     *       ],
                     *       "per_model_usage": [
                     *         {
                     *           "model_name": "qwen3-4b",
                     *           "invocation_count": 100,
                     *           "prompt_tokens": 4200,
                     *           "completion_tokens": 900,
                     *           "cached_tokens": 0,
                     *           "total_tokens": 5100
                     *         }
                     *       ],
                     *       "pass_rate": 0.88,
                     *       "interval": [
                     *         0.8019,
                     *         0.93
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EvalRun"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsRunsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
                /** @description Id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "eval.run.deleted",
                     *       "deleted": true,
                     *       "run_id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "eval.run.deleted";
                        /**
                         * @description Always true.
                         * @constant
                         */
                        deleted: true;
                        /**
                         * @description Id of the run.
                         * @example evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60
                         */
                        run_id: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsRunsCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
                /** @description Id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60",
                     *       "object": "eval.run",
                     *       "eval_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *       "created_at": 1795341600,
                     *       "name": "Nightly",
                     *       "metadata": {},
                     *       "status": "completed",
                     *       "model": "",
                     *       "data_source": {
                     *         "type": "jsonl",
                     *         "source": {
                     *           "type": "file_content",
                     *           "content": []
                     *         }
                     *       },
                     *       "error": {
                     *         "code": "",
                     *         "message": ""
                     *       },
                     *       "report_url": "/api/v1/evals/eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f/runs/evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60/output_items",
                     *       "result_counts": {
                     *         "total": 100,
                     *         "passed": 88,
                     *         "failed": 12,
                     *         "errored": 0
                     *       },
                     *       "per_testing_criteria_results": [
                     *         {
                     *           "testing_criteria": "matches",
                     *           "passed": 88,
                     *           "failed": 12,
                     *           "errored": 0,
                     *           "pass_rate": 0.88,
                     *           "interval": [
                     *             0.8019,
                     *             0.93
                     *           ],
                     *           "mean_score": 0.88,
                     *           "judge_error": null,
                     *           "deciding_items": [
                     *             "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0"
                     *           ]
                     *         }
                     *       ],
                     *       "per_model_usage": [
                     *         {
                     *           "model_name": "qwen3-4b",
                     *           "invocation_count": 100,
                     *           "prompt_tokens": 4200,
                     *           "completion_tokens": 900,
                     *           "cached_tokens": 0,
                     *           "total_tokens": 5100
                     *         }
                     *       ],
                     *       "pass_rate": 0.88,
                     *       "interval": [
                     *         0.8019,
                     *         0.93
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EvalRun"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsRunsOutputItemsList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20. */
                limit?: number;
                /** @description `last_id` of the previous page, up to 200 characters. */
                after?: string;
                /** @description By the number of the row (default), or backwards. */
                order?: "asc" | "desc";
                /** @description Only rows that pass, or that do not. */
                status?: "pass" | "fail";
            };
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
                /** @description Id of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0",
                     *           "object": "eval.run.output_item",
                     *           "eval_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *           "run_id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60",
                     *           "created_at": 1795341600,
                     *           "status": "pass",
                     *           "datasource_item_id": 0,
                     *           "datasource_item": {
                     *             "question": "Capital of France?",
                     *             "answer": "Paris"
                     *           },
                     *           "results": [
                     *             {
                     *               "name": "matches",
                     *               "type": "string_check",
                     *               "score": 1,
                     *               "passed": true,
                     *               "error": null
                     *             }
                     *           ],
                     *           "sample": {
                     *             "model": "qwen3-4b",
                     *             "input": [
                     *               {
                     *                 "role": "user",
                     *                 "content": "Capital of France?"
                     *               }
                     *             ],
                     *             "output": [
                     *               {
                     *                 "role": "user",
                     *                 "content": "Capital of France?"
                     *               }
                     *             ],
                     *             "finish_reason": "stop",
                     *             "max_completion_tokens": 0,
                     *             "temperature": 1,
                     *             "top_p": 1,
                     *             "seed": 0,
                     *             "usage": {
                     *               "prompt_tokens": 4200,
                     *               "completion_tokens": 900,
                     *               "cached_tokens": 0,
                     *               "total_tokens": 5100
                     *             },
                     *             "error": {
                     *               "code": "",
                     *               "message": ""
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "first_id": "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0",
                     *       "last_id": "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "list";
                        /** @description Things of this page. */
                        data: components["schemas"]["EvalOutputItem"][];
                        /**
                         * @description Whether there are further pages.
                         * @example false
                         */
                        has_more: boolean;
                        /**
                         * @description Id of the first; null if there are none.
                         * @example outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0
                         */
                        first_id: string | null;
                        /**
                         * @description Id of the last; pass it as `after` for the next page. Null if there are none.
                         * @example outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0
                         */
                        last_id: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    evalsRunsOutputItemsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the eval. */
                eval_id: string;
                /** @description Id of the run. */
                run_id: string;
                /** @description Id of the output item. */
                output_item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "outputitem_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60_0",
                     *       "object": "eval.run.output_item",
                     *       "eval_id": "eval_5c1d2e3f4a5b4c6d8e9f0a1b2c3d4e5f",
                     *       "run_id": "evalrun_7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60",
                     *       "created_at": 1795341600,
                     *       "status": "pass",
                     *       "datasource_item_id": 0,
                     *       "datasource_item": {
                     *         "question": "Capital of France?",
                     *         "answer": "Paris"
                     *       },
                     *       "results": [
                     *         {
                     *           "name": "matches",
                     *           "type": "string_check",
                     *           "score": 1,
                     *           "passed": true,
                     *           "error": null
                     *         }
                     *       ],
                     *       "sample": {
                     *         "model": "qwen3-4b",
                     *         "input": [
                     *           {
                     *             "role": "user",
                     *             "content": "Capital of France?"
                     *           }
                     *         ],
                     *         "output": [
                     *           {
                     *             "role": "user",
                     *             "content": "Capital of France?"
                     *           }
                     *         ],
                     *         "finish_reason": "stop",
                     *         "max_completion_tokens": 0,
                     *         "temperature": 1,
                     *         "top_p": 1,
                     *         "seed": 0,
                     *         "usage": {
                     *           "prompt_tokens": 4200,
                     *           "completion_tokens": 900,
                     *           "cached_tokens": 0,
                     *           "total_tokens": 5100
                     *         },
                     *         "error": {
                     *           "code": "",
                     *           "message": ""
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EvalOutputItem"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.eval_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    eventsList: {
        parameters: {
            query?: {
                /** @description Continue after this `cursor`. Without it a page begins with the oldest event that is kept (30 days), and a stream with the next one. */
                after?: string;
                /** @description Page size, 1 to 200, default 100; a stream does not read it */
                limit?: number;
            };
            header?: {
                /** @description The `id` of the last event that was received: the stream continues after it */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": "evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d",
                     *           "type": "dataset.read",
                     *           "schema_version": 1,
                     *           "created_at": "2026-11-22T10:00:00.000Z",
                     *           "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *           "sequence": 4,
                     *           "position": 17,
                     *           "data": {
                     *             "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                     *             "status": "succeeded",
                     *             "row_count": 250,
                     *             "error_code": null
                     *           }
                     *         }
                     *       ],
                     *       "cursor": "17",
                     *       "has_more": false,
                     *       "latest_cursor": "17"
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                    /**
                     * @example id: 17
                     *     event: dataset.read
                     *     data: {"id":"evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d","type":"dataset.read","schema_version":1,"created_at":"2026-11-22T10:00:00.000Z","dataset_id":"3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10","sequence":4,"position":17,"data":{"run_id":"a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93","status":"succeeded","row_count":250,"error_code":null}}
                     *
                     *     : ping
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    filesList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 10,000, default 20. A page has at most 100 files. */
                limit?: number;
                /** @description `last_id` of the previous page, up to 200 characters. */
                after?: string;
                /** @description Order by the time of creation: `desc` (default) lists the newest first. */
                order?: "asc" | "desc";
                /** @description Only files of this purpose. */
                purpose?: "fine-tune" | "evals" | "batch" | "batch_output" | "user_data";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *           "object": "file",
                     *           "bytes": 48213,
                     *           "created_at": 1795341600,
                     *           "filename": "support.jsonl",
                     *           "purpose": "fine-tune",
                     *           "status": "processed",
                     *           "status_details": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "first_id": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *       "last_id": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "list";
                        /** @description Things of this page. */
                        data: {
                            /**
                             * @description Id of the file; its digits are the id of the dataset.
                             * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
                             */
                            id: string;
                            /**
                             * @description Kind of the object.
                             * @constant
                             */
                            object: "file";
                            /**
                             * @description Size in bytes; 0 for a dataset that did not come by this API.
                             * @example 48213
                             */
                            bytes: number;
                            /**
                             * @description Time of creation, seconds since 1970-01-01 UTC.
                             * @example 1795341600
                             */
                            created_at: number;
                            /**
                             * @description Name of the file.
                             * @example support.jsonl
                             */
                            filename: string;
                            /**
                             * @description What the file is for. OpenAI’s clients know no purpose `evals` of a file: it is `user_data` here.
                             * @enum {string}
                             */
                            purpose: "fine-tune" | "batch" | "batch_output" | "user_data";
                            /**
                             * @description `uploaded` while its rows are read, then `processed`; `error` for a file that cannot be read.
                             * @example processed
                             * @enum {string}
                             */
                            status: "uploaded" | "processed" | "error";
                            /** @description Why the file cannot be read; null unless its status is `error`. */
                            status_details: string | null;
                        }[];
                        /**
                         * @description Whether there are further pages.
                         * @example false
                         */
                        has_more: boolean;
                        /**
                         * @description Id of the first; null if there are none.
                         * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
                         */
                        first_id: string | null;
                        /**
                         * @description Id of the last; pass it as `after` for the next page. Null if there are none.
                         * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
                         */
                        last_id: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    filesCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "support.jsonl",
                 *       "purpose": "fine-tune"
                 *     }
                 */
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file, with its name of 1 to 255 characters.
                     * @example support.jsonl
                     */
                    file: string;
                    /**
                     * @description What the file is for. The service takes every file for each of them.
                     * @example fine-tune
                     * @enum {string}
                     */
                    purpose: "fine-tune" | "evals" | "batch" | "user_data";
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *       "object": "file",
                     *       "bytes": 48213,
                     *       "created_at": 1795341600,
                     *       "filename": "support.jsonl",
                     *       "purpose": "fine-tune",
                     *       "status": "processed",
                     *       "status_details": null
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the file; its digits are the id of the dataset.
                         * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
                         */
                        id: string;
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "file";
                        /**
                         * @description Size in bytes; 0 for a dataset that did not come by this API.
                         * @example 48213
                         */
                        bytes: number;
                        /**
                         * @description Time of creation, seconds since 1970-01-01 UTC.
                         * @example 1795341600
                         */
                        created_at: number;
                        /**
                         * @description Name of the file.
                         * @example support.jsonl
                         */
                        filename: string;
                        /**
                         * @description What the file is for. OpenAI’s clients know no purpose `evals` of a file: it is `user_data` here.
                         * @enum {string}
                         */
                        purpose: "fine-tune" | "batch" | "batch_output" | "user_data";
                        /**
                         * @description `uploaded` while its rows are read, then `processed`; `error` for a file that cannot be read.
                         * @example processed
                         * @enum {string}
                         */
                        status: "uploaded" | "processed" | "error";
                        /** @description Why the file cannot be read; null unless its status is `error`. */
                        status_details: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.upload_missing.upload_mismatch.column_unknown"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found"];
            409: components["responses"]["Problem.409.dataset_not_ready"];
            413: components["responses"]["Problem.413.payload_too_large.file_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.file_empty.file_unreadable"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    filesGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the file, or of a dataset, 1 to 200 characters. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *       "object": "file",
                     *       "bytes": 48213,
                     *       "created_at": 1795341600,
                     *       "filename": "support.jsonl",
                     *       "purpose": "fine-tune",
                     *       "status": "processed",
                     *       "status_details": null
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the file; its digits are the id of the dataset.
                         * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
                         */
                        id: string;
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "file";
                        /**
                         * @description Size in bytes; 0 for a dataset that did not come by this API.
                         * @example 48213
                         */
                        bytes: number;
                        /**
                         * @description Time of creation, seconds since 1970-01-01 UTC.
                         * @example 1795341600
                         */
                        created_at: number;
                        /**
                         * @description Name of the file.
                         * @example support.jsonl
                         */
                        filename: string;
                        /**
                         * @description What the file is for. OpenAI’s clients know no purpose `evals` of a file: it is `user_data` here.
                         * @enum {string}
                         */
                        purpose: "fine-tune" | "batch" | "batch_output" | "user_data";
                        /**
                         * @description `uploaded` while its rows are read, then `processed`; `error` for a file that cannot be read.
                         * @example processed
                         * @enum {string}
                         */
                        status: "uploaded" | "processed" | "error";
                        /** @description Why the file cannot be read; null unless its status is `error`. */
                        status_details: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    filesDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the file, or of a dataset, 1 to 200 characters. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *       "object": "file",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the deleted file.
                         * @example file-3f0c5a522c0a4c538f4e0f6f1d5b8a10
                         */
                        id: string;
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "file";
                        /**
                         * @description Always true.
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.route_not_found"];
            409: components["responses"]["Problem.409.dataset_running.pilot_running.training_running"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    filesContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the file, or of a dataset, 1 to 200 characters. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is there */
            307: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description Where the file is, for fifteen minutes */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem.400.invalid_request.column_mapping_required"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.dataset_not_found.run_not_found.version_not_found.route_not_found"];
            422: components["responses"]["Problem.422.no_data_yet.export_failed"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable.export_pending"];
        };
    };
    fineTuningJobsList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20. */
                limit?: number;
                /** @description `last_id` of the previous page, up to 200 characters. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *           "object": "fine_tuning.job",
                     *           "created_at": 1795341600,
                     *           "finished_at": 1795341600,
                     *           "model": "Qwen/Qwen3.5-0.8B",
                     *           "fine_tuned_model": "ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *           "organization_id": "1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *           "status": "succeeded",
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           },
                     *           "method": {
                     *             "type": "supervised",
                     *             "supervised": {
                     *               "hyperparameters": {
                     *                 "n_epochs": 3,
                     *                 "batch_size": "auto",
                     *                 "learning_rate_multiplier": "auto"
                     *               }
                     *             },
                     *             "dpo": {
                     *               "hyperparameters": {
                     *                 "n_epochs": 3,
                     *                 "batch_size": "auto",
                     *                 "learning_rate_multiplier": "auto"
                     *               }
                     *             }
                     *           },
                     *           "training_file": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *           "validation_file": null,
                     *           "result_files": [],
                     *           "trained_tokens": null,
                     *           "seed": 7,
                     *           "estimated_finish": null,
                     *           "integrations": [],
                     *           "metadata": {
                     *             "team": "support"
                     *           },
                     *           "error": null,
                     *           "win_rate": 0.74
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "first_id": "ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "last_id": "ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "list";
                        /** @description Things of this page. */
                        data: components["schemas"]["FineTuningJob"][];
                        /**
                         * @description Whether there are further pages.
                         * @example false
                         */
                        has_more: boolean;
                        /**
                         * @description Id of the first; null if there are none.
                         * @example ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40
                         */
                        first_id: string | null;
                        /**
                         * @description Id of the last; pass it as `after` for the next page. Null if there are none.
                         * @example ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40
                         */
                        last_id: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    fineTuningJobsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "Qwen/Qwen3.5-0.8B",
                 *       "training_file": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                 *       "method": {
                 *         "type": "supervised",
                 *         "supervised": {
                 *           "hyperparameters": {
                 *             "n_epochs": 3
                 *           }
                 *         },
                 *         "dpo": {
                 *           "hyperparameters": {
                 *             "n_epochs": 3
                 *           }
                 *         }
                 *       },
                 *       "hyperparameters": {
                 *         "n_epochs": 3
                 *       },
                 *       "suffix": "support",
                 *       "metadata": {
                 *         "team": "support"
                 *       },
                 *       "integrations": []
                 *     }
                 */
                "application/json": components["schemas"]["CreateFineTuningJobRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "object": "fine_tuning.job",
                     *       "created_at": 1795341600,
                     *       "finished_at": 1795341600,
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "fine_tuned_model": "ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "organization_id": "1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "hyperparameters": {
                     *         "n_epochs": 3,
                     *         "batch_size": "auto",
                     *         "learning_rate_multiplier": "auto"
                     *       },
                     *       "method": {
                     *         "type": "supervised",
                     *         "supervised": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         },
                     *         "dpo": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         }
                     *       },
                     *       "training_file": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *       "validation_file": null,
                     *       "result_files": [],
                     *       "trained_tokens": null,
                     *       "seed": 7,
                     *       "estimated_finish": null,
                     *       "integrations": [],
                     *       "metadata": {
                     *         "team": "support"
                     *       },
                     *       "error": null,
                     *       "win_rate": 0.74
                     *     }
                     */
                    "application/json": components["schemas"]["FineTuningJob"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.column_unknown.column_mapping_required.voucher_invalid"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.plan_limit_exceeded"];
            404: components["responses"]["Problem.404.dataset_not_found.version_not_found"];
            409: components["responses"]["Problem.409.training_running.rows_pending"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.dataset_untrainable.model_unsupported.idempotency_mismatch"];
            429: components["responses"]["Problem.429.rate_limited.runs_limit_reached"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    fineTuningJobsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, up to 200 characters. */
                fine_tuning_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "object": "fine_tuning.job",
                     *       "created_at": 1795341600,
                     *       "finished_at": 1795341600,
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "fine_tuned_model": "ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "organization_id": "1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "hyperparameters": {
                     *         "n_epochs": 3,
                     *         "batch_size": "auto",
                     *         "learning_rate_multiplier": "auto"
                     *       },
                     *       "method": {
                     *         "type": "supervised",
                     *         "supervised": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         },
                     *         "dpo": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         }
                     *       },
                     *       "training_file": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *       "validation_file": null,
                     *       "result_files": [],
                     *       "trained_tokens": null,
                     *       "seed": 7,
                     *       "estimated_finish": null,
                     *       "integrations": [],
                     *       "metadata": {
                     *         "team": "support"
                     *       },
                     *       "error": null,
                     *       "win_rate": 0.74
                     *     }
                     */
                    "application/json": components["schemas"]["FineTuningJob"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    fineTuningJobsCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, up to 200 characters. */
                fine_tuning_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "object": "fine_tuning.job",
                     *       "created_at": 1795341600,
                     *       "finished_at": 1795341600,
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "fine_tuned_model": "ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "organization_id": "1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "hyperparameters": {
                     *         "n_epochs": 3,
                     *         "batch_size": "auto",
                     *         "learning_rate_multiplier": "auto"
                     *       },
                     *       "method": {
                     *         "type": "supervised",
                     *         "supervised": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         },
                     *         "dpo": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         }
                     *       },
                     *       "training_file": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *       "validation_file": null,
                     *       "result_files": [],
                     *       "trained_tokens": null,
                     *       "seed": 7,
                     *       "estimated_finish": null,
                     *       "integrations": [],
                     *       "metadata": {
                     *         "team": "support"
                     *       },
                     *       "error": null,
                     *       "win_rate": 0.74
                     *     }
                     */
                    "application/json": components["schemas"]["FineTuningJob"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            409: components["responses"]["Problem.409.training_handing_over"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    fineTuningJobsCheckpoints: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20. */
                limit?: number;
                /** @description `last_id` of the previous page, up to 200 characters. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job, up to 200 characters. */
                fine_tuning_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "ftckpt_8b1c6f0e6d534e589a3b6f2d1c5b7a40_1",
                     *           "object": "fine_tuning.job.checkpoint",
                     *           "created_at": 1795341600,
                     *           "fine_tuned_model_checkpoint": "ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *           "fine_tuning_job_id": "ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *           "step_number": 90,
                     *           "metrics": {
                     *             "step": 90,
                     *             "train_loss": 1.38,
                     *             "valid_loss": 1.66,
                     *             "full_valid_loss": 1.66,
                     *             "win_rate": 0.74,
                     *             "interval": [
                     *               0.6,
                     *               0.84
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "first_id": "ftckpt_8b1c6f0e6d534e589a3b6f2d1c5b7a40_1",
                     *       "last_id": "ftckpt_8b1c6f0e6d534e589a3b6f2d1c5b7a40_1"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "list";
                        /** @description Things of this page. */
                        data: components["schemas"]["FineTuningJobCheckpoint"][];
                        /**
                         * @description Whether there are further pages.
                         * @example false
                         */
                        has_more: boolean;
                        /**
                         * @description Id of the first; null if there are none.
                         * @example ftckpt_8b1c6f0e6d534e589a3b6f2d1c5b7a40_1
                         */
                        first_id: string | null;
                        /**
                         * @description Id of the last; pass it as `after` for the next page. Null if there are none.
                         * @example ftckpt_8b1c6f0e6d534e589a3b6f2d1c5b7a40_1
                         */
                        last_id: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    fineTuningJobsEvents: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100, default 20. */
                limit?: number;
                /** @description `last_id` of the previous page, up to 200 characters. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description Id of the job, up to 200 characters. */
                fine_tuning_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "ftevent-8b1c6f0e6d534e589a3b6f2d1c5b7a40-1-sft-90",
                     *           "object": "fine_tuning.job.event",
                     *           "created_at": 1795341600,
                     *           "level": "info",
                     *           "message": "Iteration 1, step 90/90: training loss=1.38",
                     *           "type": "metrics",
                     *           "data": {
                     *             "step": 90,
                     *             "total_steps": 90,
                     *             "train_loss": 1.38,
                     *             "valid_loss": 1.66
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "first_id": "ftevent-8b1c6f0e6d534e589a3b6f2d1c5b7a40-1-sft-90",
                     *       "last_id": "ftevent-8b1c6f0e6d534e589a3b6f2d1c5b7a40-1-sft-90"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Kind of the object.
                         * @constant
                         */
                        object: "list";
                        /** @description Things of this page. */
                        data: components["schemas"]["FineTuningJobEvent"][];
                        /**
                         * @description Whether there are further pages.
                         * @example false
                         */
                        has_more: boolean;
                        /**
                         * @description Id of the first; null if there are none.
                         * @example ftevent-8b1c6f0e6d534e589a3b6f2d1c5b7a40-1-sft-90
                         */
                        first_id: string | null;
                        /**
                         * @description Id of the last; pass it as `after` for the next page. Null if there are none.
                         * @example ftevent-8b1c6f0e6d534e589a3b6f2d1c5b7a40-1-sft-90
                         */
                        last_id: string | null;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    fineTuningJobsPause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, up to 200 characters. */
                fine_tuning_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "object": "fine_tuning.job",
                     *       "created_at": 1795341600,
                     *       "finished_at": 1795341600,
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "fine_tuned_model": "ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "organization_id": "1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "hyperparameters": {
                     *         "n_epochs": 3,
                     *         "batch_size": "auto",
                     *         "learning_rate_multiplier": "auto"
                     *       },
                     *       "method": {
                     *         "type": "supervised",
                     *         "supervised": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         },
                     *         "dpo": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         }
                     *       },
                     *       "training_file": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *       "validation_file": null,
                     *       "result_files": [],
                     *       "trained_tokens": null,
                     *       "seed": 7,
                     *       "estimated_finish": null,
                     *       "integrations": [],
                     *       "metadata": {
                     *         "team": "support"
                     *       },
                     *       "error": null,
                     *       "win_rate": 0.74
                     *     }
                     */
                    "application/json": components["schemas"]["FineTuningJob"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    fineTuningJobsResume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, up to 200 characters. */
                fine_tuning_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "object": "fine_tuning.job",
                     *       "created_at": 1795341600,
                     *       "finished_at": 1795341600,
                     *       "model": "Qwen/Qwen3.5-0.8B",
                     *       "fine_tuned_model": "ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40",
                     *       "organization_id": "1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "status": "succeeded",
                     *       "hyperparameters": {
                     *         "n_epochs": 3,
                     *         "batch_size": "auto",
                     *         "learning_rate_multiplier": "auto"
                     *       },
                     *       "method": {
                     *         "type": "supervised",
                     *         "supervised": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         },
                     *         "dpo": {
                     *           "hyperparameters": {
                     *             "n_epochs": 3,
                     *             "batch_size": "auto",
                     *             "learning_rate_multiplier": "auto"
                     *           }
                     *         }
                     *       },
                     *       "training_file": "file-3f0c5a522c0a4c538f4e0f6f1d5b8a10",
                     *       "validation_file": null,
                     *       "result_files": [],
                     *       "trained_tokens": null,
                     *       "seed": 7,
                     *       "estimated_finish": null,
                     *       "integrations": [],
                     *       "metadata": {
                     *         "team": "support"
                     *       },
                     *       "error": null,
                     *       "win_rate": 0.74
                     *     }
                     */
                    "application/json": components["schemas"]["FineTuningJob"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.training_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    meGet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                     *       "team_id": "2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e",
                     *       "user_id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
                     *       "key_id": "6d5e1f2a-3c4b-4d8e-9f6a-7b8c9d0e1f2a",
                     *       "scopes": [
                     *         "datasets:read",
                     *         "datasets:write"
                     *       ],
                     *       "plan": {
                     *         "name": "default",
                     *         "requests_per_second": 50,
                     *         "runs_at_once": 5,
                     *         "rows_per_launch": 1000000,
                     *         "response_tokens_per_minute": 200000,
                     *         "responses_at_once": 100,
                     *         "custom_evals_per_hour": 20,
                     *         "topic_inferences_per_hour": 60,
                     *         "cancellations_per_hour": 20,
                     *         "batch_cancellations_per_hour": 2,
                     *         "comparisons_per_hour": 10,
                     *         "merges_per_hour": 20,
                     *         "readings_per_hour": 2000,
                     *         "scans_per_hour": 1200,
                     *         "builds_per_hour": 500,
                     *         "unbilled_tokens_per_hour": 20000000,
                     *         "tokens_per_run": null,
                     *         "minutes_per_run": null
                     *       },
                     *       "balance": {
                     *         "granted": 1000,
                     *         "settled": 7,
                     *         "held": 3,
                     *         "available": 990,
                     *         "active_runs": 1
                     *       },
                     *       "release": "0.2.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    modelsList: {
        parameters: {
            query?: {
                /** @description Lists the hosted models alone, without stacks and trained models */
                type?: "hosted";
            };
            header?: {
                /** @description The organization that the caller means; one that the key is not of is refused */
                "X-Organization-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "stack:support",
                     *           "object": "model",
                     *           "created": 1795341600,
                     *           "owned_by": "team"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `list`.
                         * @constant
                         */
                        object: "list";
                        /** @description Models that the key can use. */
                        data: {
                            /**
                             * @description What `model` of a response takes
                             * @example stack:support
                             */
                            id: string;
                            /**
                             * @description Always `model`.
                             * @constant
                             */
                            object: "model";
                            /**
                             * @description Seconds since the epoch; 0 where nobody has said it
                             * @example 1795341600
                             */
                            created: number;
                            /**
                             * @description `team` for stacks and trained models
                             * @example team
                             */
                            owned_by: string;
                            /** @description Name for people; absent when there is none. */
                            display_name?: string;
                            /**
                             * Format: date
                             * @description Date on which the model stops answering; absent when none is planned.
                             */
                            shutdown_date?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing.organization_forbidden"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable.model_unavailable"];
        };
    };
    modelsGet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The organization that the caller means; one that the key is not of is refused */
                "X-Organization-Id"?: string;
            };
            path: {
                /** @description Id of the model, 1 to 256 characters. */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "stack:support",
                     *       "object": "model",
                     *       "created": 1795341600,
                     *       "owned_by": "team"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What `model` of a response takes
                         * @example stack:support
                         */
                        id: string;
                        /**
                         * @description Always `model`.
                         * @constant
                         */
                        object: "model";
                        /**
                         * @description Seconds since the epoch; 0 where nobody has said it
                         * @example 1795341600
                         */
                        created: number;
                        /**
                         * @description `team` for stacks and trained models
                         * @example team
                         */
                        owned_by: string;
                        /** @description Name for people; absent when there is none. */
                        display_name?: string;
                        /**
                         * Format: date
                         * @description Date on which the model stops answering; absent when none is planned.
                         */
                        shutdown_date?: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing.organization_forbidden"];
            404: components["responses"]["Problem.404.model_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable.model_unavailable"];
        };
    };
    serviceOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Version of the OpenAPI specification.
                         * @example 3.1.0
                         */
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    responsesCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The organization that the caller means; one that the key is not of is refused */
                "X-Organization-Id"?: string;
                /** @description The trace that the answer is part of (W3C Trace Context); one of another form is none */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "stack:support",
                 *       "input": "How do I reset my password?",
                 *       "instructions": "Answer in one sentence.",
                 *       "max_output_tokens": 200,
                 *       "store": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateResponseRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "resp_0f6f1d5b8a103f0c5a522c0a4c538f4e",
                     *       "object": "response",
                     *       "created_at": 1795341600,
                     *       "completed_at": 1795341602,
                     *       "status": "completed",
                     *       "error": null,
                     *       "incomplete_details": null,
                     *       "model": "stack:support",
                     *       "instructions": "Answer in one sentence.",
                     *       "output": [
                     *         {
                     *           "type": "message",
                     *           "id": "msg_0f6f1d5b8a10",
                     *           "status": "completed",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "Choose \"Forgot password\" on the sign-in page.",
                     *               "annotations": [],
                     *               "logprobs": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "previous_response_id": null,
                     *       "tools": [],
                     *       "tool_choice": "auto",
                     *       "parallel_tool_calls": true,
                     *       "max_tool_calls": null,
                     *       "max_output_tokens": 200,
                     *       "temperature": 1,
                     *       "top_p": 1,
                     *       "presence_penalty": 0,
                     *       "frequency_penalty": 0,
                     *       "top_logprobs": 0,
                     *       "truncation": "disabled",
                     *       "text": {
                     *         "format": {
                     *           "type": "text"
                     *         }
                     *       },
                     *       "reasoning": null,
                     *       "usage": {
                     *         "input_tokens": 14,
                     *         "input_tokens_details": {
                     *           "cached_tokens": 0,
                     *           "cache_write_tokens": 0
                     *         },
                     *         "output_tokens": 17,
                     *         "output_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 31
                     *       },
                     *       "store": true,
                     *       "background": false,
                     *       "service_tier": "default",
                     *       "metadata": {},
                     *       "user": null,
                     *       "safety_identifier": null,
                     *       "prompt_cache_key": null,
                     *       "prompt_cache_retention": null
                     *     }
                     */
                    "application/json": components["schemas"]["ModelResponse"];
                    /**
                     * @example event: response.created
                     *     data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_0f6f1d5b8a103f0c5a522c0a4c538f4e","object":"response","created_at":1795341600,"completed_at":null,"status":"in_progress","error":null,"incomplete_details":null,"model":"stack:support","instructions":"Answer in one sentence.","output":[],"previous_response_id":null,"tools":[],"tool_choice":"auto","parallel_tool_calls":true,"max_tool_calls":null,"max_output_tokens":200,"temperature":1,"top_p":1,"presence_penalty":0,"frequency_penalty":0,"top_logprobs":0,"truncation":"disabled","text":{"format":{"type":"text"}},"reasoning":null,"usage":null,"store":true,"background":false,"service_tier":"default","metadata":{},"user":null,"safety_identifier":null,"prompt_cache_key":null,"prompt_cache_retention":null}}
                     *
                     *     event: response.in_progress
                     *     data: {"type":"response.in_progress","sequence_number":1,"response":{"id":"resp_0f6f1d5b8a103f0c5a522c0a4c538f4e","object":"response","created_at":1795341600,"completed_at":null,"status":"in_progress","error":null,"incomplete_details":null,"model":"stack:support","instructions":"Answer in one sentence.","output":[],"previous_response_id":null,"tools":[],"tool_choice":"auto","parallel_tool_calls":true,"max_tool_calls":null,"max_output_tokens":200,"temperature":1,"top_p":1,"presence_penalty":0,"frequency_penalty":0,"top_logprobs":0,"truncation":"disabled","text":{"format":{"type":"text"}},"reasoning":null,"usage":null,"store":true,"background":false,"service_tier":"default","metadata":{},"user":null,"safety_identifier":null,"prompt_cache_key":null,"prompt_cache_retention":null}}
                     *
                     *     event: response.output_item.added
                     *     data: {"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":{"type":"message","id":"msg_0f6f1d5b8a10","status":"in_progress","role":"assistant","content":[]}}
                     *
                     *     event: response.content_part.added
                     *     data: {"type":"response.content_part.added","sequence_number":3,"item_id":"msg_0f6f1d5b8a10","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}
                     *
                     *     event: response.output_text.delta
                     *     data: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_0f6f1d5b8a10","output_index":0,"content_index":0,"delta":"Choose \"Forgot password\"","logprobs":[]}
                     *
                     *     event: response.output_text.delta
                     *     data: {"type":"response.output_text.delta","sequence_number":5,"item_id":"msg_0f6f1d5b8a10","output_index":0,"content_index":0,"delta":" on the sign-in page.","logprobs":[]}
                     *
                     *     event: response.output_text.done
                     *     data: {"type":"response.output_text.done","sequence_number":6,"item_id":"msg_0f6f1d5b8a10","output_index":0,"content_index":0,"text":"Choose \"Forgot password\" on the sign-in page.","logprobs":[]}
                     *
                     *     event: response.content_part.done
                     *     data: {"type":"response.content_part.done","sequence_number":7,"item_id":"msg_0f6f1d5b8a10","output_index":0,"content_index":0,"part":{"type":"output_text","text":"Choose \"Forgot password\" on the sign-in page.","annotations":[],"logprobs":[]}}
                     *
                     *     event: response.output_item.done
                     *     data: {"type":"response.output_item.done","sequence_number":8,"output_index":0,"item":{"type":"message","id":"msg_0f6f1d5b8a10","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Choose \"Forgot password\" on the sign-in page.","annotations":[],"logprobs":[]}]}}
                     *
                     *     event: response.completed
                     *     data: {"type":"response.completed","sequence_number":9,"response":{"id":"resp_0f6f1d5b8a103f0c5a522c0a4c538f4e","object":"response","created_at":1795341600,"completed_at":1795341602,"status":"completed","error":null,"incomplete_details":null,"model":"stack:support","instructions":"Answer in one sentence.","output":[{"type":"message","id":"msg_0f6f1d5b8a10","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Choose \"Forgot password\" on the sign-in page.","annotations":[],"logprobs":[]}]}],"previous_response_id":null,"tools":[],"tool_choice":"auto","parallel_tool_calls":true,"max_tool_calls":null,"max_output_tokens":200,"temperature":1,"top_p":1,"presence_penalty":0,"frequency_penalty":0,"top_logprobs":0,"truncation":"disabled","text":{"format":{"type":"text"}},"reasoning":null,"usage":{"input_tokens":14,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":17,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":31},"store":true,"background":false,"service_tier":"default","metadata":{},"user":null,"safety_identifier":null,"prompt_cache_key":null,"prompt_cache_retention":null}}
                     *
                     *     data: [DONE]
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json.approval_unknown.context_too_long"];
            401: components["responses"]["Problem.401.unauthorized"];
            402: components["responses"]["Problem.402.credits_insufficient"];
            403: components["responses"]["Problem.403.scope_missing.organization_forbidden.tool_not_permitted"];
            404: components["responses"]["Problem.404.model_not_found.stack_not_found.response_not_found.dataset_not_found"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            422: components["responses"]["Problem.422.dataset_not_adapted.model_not_served.model_refused"];
            429: components["responses"]["Problem.429.rate_limited.model_busy"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable.index_not_ready.model_quota_exhausted"];
        };
    };
    responsesGet: {
        parameters: {
            query?: {
                /** @description What the response contains in addition: values of `include`, separated by commas or repeated. */
                "include[]"?: string;
                /** @description The same as `include[]`. */
                include?: string;
                /** @description Only `false` is accepted: a stored response is read as one object. */
                stream?: "false";
                /** @description Only `false` is accepted. */
                include_obfuscation?: "false";
            };
            header?: {
                /** @description The organization that the caller means; one that the key is not of is refused */
                "X-Organization-Id"?: string;
            };
            path: {
                /** @description Id of a stored response, 1 to 128 characters. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "resp_0f6f1d5b8a103f0c5a522c0a4c538f4e",
                     *       "object": "response",
                     *       "created_at": 1795341600,
                     *       "completed_at": 1795341602,
                     *       "status": "completed",
                     *       "error": null,
                     *       "incomplete_details": null,
                     *       "model": "stack:support",
                     *       "instructions": "Answer in one sentence.",
                     *       "output": [
                     *         {
                     *           "type": "message",
                     *           "id": "msg_0f6f1d5b8a10",
                     *           "status": "completed",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "Choose \"Forgot password\" on the sign-in page.",
                     *               "annotations": [],
                     *               "logprobs": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "previous_response_id": null,
                     *       "tools": [],
                     *       "tool_choice": "auto",
                     *       "parallel_tool_calls": true,
                     *       "max_tool_calls": null,
                     *       "max_output_tokens": 200,
                     *       "temperature": 1,
                     *       "top_p": 1,
                     *       "presence_penalty": 0,
                     *       "frequency_penalty": 0,
                     *       "top_logprobs": 0,
                     *       "truncation": "disabled",
                     *       "text": {
                     *         "format": {
                     *           "type": "text"
                     *         }
                     *       },
                     *       "reasoning": null,
                     *       "usage": {
                     *         "input_tokens": 14,
                     *         "input_tokens_details": {
                     *           "cached_tokens": 0,
                     *           "cache_write_tokens": 0
                     *         },
                     *         "output_tokens": 17,
                     *         "output_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 31
                     *       },
                     *       "store": true,
                     *       "background": false,
                     *       "service_tier": "default",
                     *       "metadata": {},
                     *       "user": null,
                     *       "safety_identifier": null,
                     *       "prompt_cache_key": null,
                     *       "prompt_cache_retention": null
                     *     }
                     */
                    "application/json": components["schemas"]["ModelResponse"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing.organization_forbidden"];
            404: components["responses"]["Problem.404.response_not_found.route_not_found"];
            422: components["responses"]["Problem.422.response_too_large"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    responsesDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The organization that the caller means; one that the key is not of is refused */
                "X-Organization-Id"?: string;
            };
            path: {
                /** @description Id of a stored response, 1 to 128 characters. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "resp_0f6f1d5b8a103f0c5a522c0a4c538f4e",
                     *       "object": "response.deleted",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Id of the deleted response.
                         * @example resp_0f6f1d5b8a103f0c5a522c0a4c538f4e
                         */
                        id: string;
                        /**
                         * @description Always `response.deleted`.
                         * @constant
                         */
                        object: "response.deleted";
                        /**
                         * @description Always true.
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing.organization_forbidden"];
            404: components["responses"]["Problem.404.response_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    responsesInputItems: {
        parameters: {
            query?: {
                /** @description Order of the items: `desc` (default) lists the newest first. */
                order?: "asc" | "desc";
                /** @description Page size, 1 to 100, default 20. */
                limit?: number;
                /** @description Id of the last item of the previous page. */
                after?: string;
                /** @description What the response contains in addition: values of `include`, separated by commas or repeated. */
                "include[]"?: string;
                /** @description The same as `include[]`. */
                include?: string;
            };
            header?: {
                /** @description The organization that the caller means; one that the key is not of is refused */
                "X-Organization-Id"?: string;
            };
            path: {
                /** @description Id of a stored response, 1 to 128 characters. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "type": "message",
                     *           "id": "msg_5b8a103f0c5a",
                     *           "role": "user",
                     *           "content": [
                     *             {
                     *               "type": "input_text",
                     *               "text": "How do I reset my password?"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "first_id": "msg_5b8a103f0c5a",
                     *       "last_id": "msg_5b8a103f0c5a",
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Always `list`.
                         * @constant
                         */
                        object: "list";
                        /**
                         * @description Items of this page.
                         * @example [
                         *       {
                         *         "type": "message",
                         *         "id": "msg_5b8a103f0c5a",
                         *         "role": "user",
                         *         "content": [
                         *           {
                         *             "type": "input_text",
                         *             "text": "How do I reset my password?"
                         *           }
                         *         ]
                         *       }
                         *     ]
                         */
                        data: ({
                            /** @description Id of the item. */
                            id: string;
                            /** @description Kind of the object. */
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Id of the first item; null on an empty page. */
                        first_id: string | null;
                        /** @description Id of the last item; null on an empty page. */
                        last_id: string | null;
                        /**
                         * @description Whether more items follow.
                         * @example false
                         */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request.cursor_invalid"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing.organization_forbidden"];
            404: components["responses"]["Problem.404.response_not_found.route_not_found"];
            422: components["responses"]["Problem.422.response_too_large"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    toolsList: {
        parameters: {
            query?: never;
            header?: {
                /** @description The organization that the caller means; one that the key is not of is refused */
                "X-Organization-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "server_label": "handbook",
                     *           "type": "mcp",
                     *           "name": "Handbook",
                     *           "description": "Searches the handbook of the company.",
                     *           "auth": "none",
                     *           "connect": null,
                     *           "connect_path": null,
                     *           "mode": "hosted_proxy",
                     *           "default_require_approval": "always",
                     *           "required_scope": "responses",
                     *           "available": true,
                     *           "unavailable_reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ToolList"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing.organization_forbidden"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    trainingModelsList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    /** @description The route is kept for older clients */
                    Deprecation?: "true";
                    /** @description The route that takes its place */
                    Link?: "</api/v1/autoscientist/models>; rel=\"successor-version\"";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "models": [
                     *         {
                     *           "id": "Qwen/Qwen3.5-0.8B",
                     *           "display_name": "Qwen3.5 0.8B",
                     *           "model_size": "0.8B",
                     *           "context_length": 131072,
                     *           "methods": [
                     *             "sft",
                     *             "dpo"
                     *           ],
                     *           "training_types": [
                     *             "lora"
                     *           ],
                     *           "train_with_reasoning": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BaseModels"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    webhooksList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "webhook_id": "b3a1f0de-7c52-4a39-9d0f-2f5f0c6f7a11",
                     *           "url": "https://hooks.example.com/tunesmith",
                     *           "event_types": [
                     *             "dataset.read"
                     *           ],
                     *           "description": "Starts the nightly export",
                     *           "status": "enabled",
                     *           "disabled_reason": null,
                     *           "failing_since": null,
                     *           "created_at": "2026-11-22T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Webhooks of the team, the oldest first. */
                        webhooks: components["schemas"]["Webhook"][];
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    webhooksCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/tunesmith",
                 *       "event_types": [
                 *         "dataset.read"
                 *       ],
                 *       "description": "Starts the nightly export"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "b3a1f0de-7c52-4a39-9d0f-2f5f0c6f7a11",
                     *       "url": "https://hooks.example.com/tunesmith",
                     *       "event_types": [
                     *         "dataset.read"
                     *       ],
                     *       "description": "Starts the nightly export",
                     *       "status": "enabled",
                     *       "disabled_reason": null,
                     *       "failing_since": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "secret": "whsec_YW4gZXhhbXBsZSBvZiB0aGlydHktdHdvIGJ5dGVzISE=",
                     *       "previous_secret_until": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            409: components["responses"]["Problem.409.webhooks_limit_reached"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    webhooksGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook, 1 to 200 characters. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "b3a1f0de-7c52-4a39-9d0f-2f5f0c6f7a11",
                     *       "url": "https://hooks.example.com/tunesmith",
                     *       "event_types": [
                     *         "dataset.read"
                     *       ],
                     *       "description": "Starts the nightly export",
                     *       "status": "enabled",
                     *       "disabled_reason": null,
                     *       "failing_since": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.webhook_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    webhooksUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook, 1 to 200 characters. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/tunesmith",
                 *       "event_types": [
                 *         "dataset.read"
                 *       ],
                 *       "description": "Starts the nightly export"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "b3a1f0de-7c52-4a39-9d0f-2f5f0c6f7a11",
                     *       "url": "https://hooks.example.com/tunesmith",
                     *       "event_types": [
                     *         "dataset.read"
                     *       ],
                     *       "description": "Starts the nightly export",
                     *       "status": "enabled",
                     *       "disabled_reason": null,
                     *       "failing_since": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request.malformed_json"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.webhook_not_found.route_not_found"];
            413: components["responses"]["Problem.413.payload_too_large"];
            415: components["responses"]["Problem.415.format_unsupported"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    webhooksDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook, 1 to 200 characters. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The webhook was deleted."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What was done.
                         * @example The webhook was deleted.
                         */
                        message: string;
                    };
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.webhook_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    webhooksDeliveriesList: {
        parameters: {
            query?: {
                /** @description Continue with deliveries before this `position`. */
                before?: string;
                /** @description Only deliveries of this status. */
                status?: "pending" | "delivered" | "failed";
                /** @description Page size, 1 to 100, default 50 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the webhook, 1 to 200 characters. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "position": 17,
                     *           "event_id": "evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d",
                     *           "event_type": "dataset.read",
                     *           "status": "pending",
                     *           "attempts": 1,
                     *           "response_status": 503,
                     *           "error": "status",
                     *           "duration_ms": 184,
                     *           "created_at": "2026-11-22T10:00:00.000Z",
                     *           "last_attempt_at": "2026-11-22T10:00:00.000Z",
                     *           "next_attempt_at": "2026-11-22T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_before": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.webhook_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    webhooksDeliveriesRetry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook, 1 to 200 characters. */
                webhook_id: string;
                /** @description Position of the event. */
                position: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "position": 17,
                     *       "event_id": "evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d",
                     *       "event_type": "dataset.read",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "response_status": 503,
                     *       "error": "status",
                     *       "duration_ms": 184,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "last_attempt_at": "2026-11-22T10:00:00.000Z",
                     *       "next_attempt_at": "2026-11-22T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.webhook_not_found.delivery_not_found.route_not_found"];
            409: components["responses"]["Problem.409.webhook_disabled"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    webhooksRotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook, 1 to 200 characters. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "b3a1f0de-7c52-4a39-9d0f-2f5f0c6f7a11",
                     *       "url": "https://hooks.example.com/tunesmith",
                     *       "event_types": [
                     *         "dataset.read"
                     *       ],
                     *       "description": "Starts the nightly export",
                     *       "status": "enabled",
                     *       "disabled_reason": null,
                     *       "failing_since": null,
                     *       "created_at": "2026-11-22T10:00:00.000Z",
                     *       "secret": "whsec_YW4gZXhhbXBsZSBvZiB0aGlydHktdHdvIGJ5dGVzISE=",
                     *       "previous_secret_until": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.webhook_not_found.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    webhooksTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook, 1 to 200 characters. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "evt_0b7e9a52-6d3e-8b41-9c07-2f4f6f5f3b1d"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            401: components["responses"]["Problem.401.unauthorized"];
            403: components["responses"]["Problem.403.scope_missing"];
            404: components["responses"]["Problem.404.webhook_not_found.route_not_found"];
            409: components["responses"]["Problem.409.webhook_disabled"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    serviceConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <!doctype html>
                     *     <html lang="en">…</html>
                     */
                    "text/html": string;
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    serviceConsoleAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the file. */
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example /* … *\/ */
                    "text/*": string;
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            404: components["responses"]["Problem.404.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    serviceDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <!doctype html>
                     *     <html lang="en">…</html>
                     */
                    "text/html": string;
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    serviceDocsAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the file. */
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description Names the request in the service’s log */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example /* … *\/ */
                    "text/*": string;
                };
            };
            400: components["responses"]["Problem.400.invalid_request"];
            404: components["responses"]["Problem.404.route_not_found"];
            429: components["responses"]["Problem.429.rate_limited"];
            500: components["responses"]["Problem.500.internal_error"];
            503: components["responses"]["Problem.503.service_unavailable"];
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The `id` of the event. It is the same in every attempt: keep the ids that you have seen. */
                "webhook-id": string;
                /** @description Time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several are separated by spaces, one for each secret. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d",
                 *       "type": "dataset.read",
                 *       "schema_version": 1,
                 *       "created_at": "2026-11-22T10:00:00.000Z",
                 *       "dataset_id": "3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10",
                 *       "sequence": 4,
                 *       "position": 17,
                 *       "data": {
                 *         "run_id": "a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93",
                 *         "status": "succeeded",
                 *         "row_count": 250,
                 *         "error_code": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again, nine attempts in about a day. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
