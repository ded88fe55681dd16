use super::*;

#[test]
fn waiting_times_are_read_in_both_notations() {
    fn check(header: &str, expect: Option<u64>) {
        // 1994-11-06 08:49:00 UTC
        let now = Some(Timestamp::from_millis(784_111_740_000));
        let expect = expect.map(Duration::from_millis);
        assert_eq!(retry_after(header, now), expect, "{header:?}");
    }
    check("0", Some(0));
    check(" 20 ", Some(20_000));
    check("1.5", Some(1_500));
    check("Sun, 06 Nov 1994 08:49:37 GMT", Some(37_000));
    check("Sun, 06 Nov 1994 08:48:37 GMT", Some(0));
    for bad in ["", "-1", "soon", "NaN", "inf", "1e300", "Sun, 99 Nov"] {
        check(bad, None);
    }
    assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", None), None);
}

#[test]
fn errors_are_short_and_keep_the_key_secret() {
    let key = SecretString::from("sk-1234");
    let check = |reason: &str, expect: &str| {
        let error = ModelError::Cut {
            reason: reason.to_owned(),
        };
        let expect = ModelError::Cut {
            reason: expect.to_owned(),
        };
        assert_eq!(presentable(error, Some(&key), None), expect);
    };
    check("bad key sk-1234,\n\n bye", "bad key [key], bye");
    check("  ", "(no reason given)");
    let long = "茶".repeat(301);
    check(&long, &format!("{}…", "茶".repeat(300)));
    check(&long[..900], &"茶".repeat(300));
    // What a terminal would obey, and what nobody sees.
    check("a\u{1b}[31;1mred\u{1b}[0m b", "ared b");
    check("\u{1b}]0;title\u{7}x", "0;title x");
    check("\u{9b}2Jx\u{1b}", "x");
    check("a\u{0}b\rc\u{8}\u{85}d", "a b c d");
    check("x\u{202e}y\u{200b}\u{feff}\u{e0041}z\u{2028}w", "xyz w");
    check("sk-\u{1b}[m1234", "[key]");
    check("日本\u{1f375}é", "日本\u{1f375}é");
}

/// What vendors send, with its status, and what it means.
const BODIES: &[(u16, &str, &str)] = &[
    // Censored.
    (
        400,
        r#"{"error":{"message":"Content Exists Risk","type":"invalid_request_error","code":"invalid_request_error"}}"#,
        "censored",
    ),
    (400, r#"{"detail":"Content Exists Risk"}"#, "censored"),
    (
        400,
        r#"{"error":{"message":"The response was filtered","type":null,"param":"prompt","code":"content_filter","status":400}}"#,
        "censored",
    ),
    (
        400,
        r#"{"error":{"message":"filtered","code":null,"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{}}}}"#,
        "censored",
    ),
    (
        400,
        r#"{"error":{"code":"content_policy_violation","message":"no"}}"#,
        "censored",
    ),
    (
        400,
        r#"{"error":{"code":"invalid_prompt","message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy."}}"#,
        "censored",
    ),
    (
        400,
        r#"{"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content.","type":"data_inspection_failed"}}"#,
        "censored",
    ),
    (
        400,
        r#"{"error":{"code":400,"message":"The request was rejected because it was considered high risk","type":"content_filter"}}"#,
        "censored",
    ),
    (
        400,
        r#"{"error":{"code":"1301","message":"不安全或敏感内容"}}"#,
        "censored",
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}"#,
        "censored",
    ),
    (
        403,
        r#"{"code":"The caller does not have permission","error":"Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO"}"#,
        "censored",
    ),
    (
        403,
        r#"{"error":{"code":403,"message":"flagged","metadata":{"reasons":["violence"],"flagged_input":"…"}}}"#,
        "censored",
    ),
    // Too long.
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 4097 tokens. However, your messages resulted in 4294 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
        "too_long",
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200251 tokens > 200000 maximum"}}"#,
        "too_long",
    ),
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 90402 + 116650 > 204648"}}"#,
        "too_long",
    ),
    (
        400,
        r#"[{"error":{"code":400,"message":"The input token count (314175) exceeds the maximum number of tokens allowed (131072).","status":"INVALID_ARGUMENT"}}]"#,
        "too_long",
    ),
    (
        400,
        r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_ctx":8192}}"#,
        "too_long",
    ),
    (
        400,
        r#"{"error":"This model's maximum prompt length is 131072 but the request contains 140000 tokens."}"#,
        "too_long",
    ),
    (
        400,
        r#"{"object":"error","message":"Requested token count exceeds the model's maximum context length of 202752 tokens."}"#,
        "too_long",
    ),
    (
        413,
        r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
        "too_long",
    ),
    (413, "<html>413 Request Entity Too Large</html>", "too_long"),
    // Money and keys behind other statuses.
    (
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#,
        "out_of_credit",
    ),
    (
        429,
        r#"{"error":{"code":"insufficient_quota","message":"pay"}}"#,
        "out_of_credit",
    ),
    (
        402,
        r#"{"error":{"message":"Insufficient Balance"}}"#,
        "out_of_credit",
    ),
    (
        400,
        r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#,
        "unauthorized",
    ),
    (
        400,
        r#"{"code":"Client specified an invalid argument","error":"Incorrect API key provided: x"}"#,
        "unauthorized",
    ),
    // What only looks like one of them.
    (
        400,
        r#"{"error":{"message":"max_tokens is too large: 99999. This model supports at most 4096 completion tokens"}}"#,
        "rejected",
    ),
    (
        400,
        r#"{"error":{"message":"content must be a string","code":"invalid_type"}}"#,
        "rejected",
    ),
    (
        403,
        r#"{"error":{"message":"no access to this model"}}"#,
        "unauthorized",
    ),
    (429, r#"{"error":{"code":"rate_limit_exceeded"}}"#, "busy"),
    (408, "", "failed"),
    (503, "", "failed"),
];

#[test]
fn vendors_words_have_a_meaning() {
    for (status, body, expect) in BODIES {
        let error = Complaint::from_body(body.as_bytes()).of_status(*status, None);
        assert_eq!(name(&error), *expect, "{status} {body}");
    }
}

#[test]
fn words_mean_the_same_inside_an_answer() {
    for (status, body, expect) in BODIES {
        // Where only the status tells, the stream has no way to.
        let Ok(body) = serde_json::from_str::<Value>(body) else {
            continue;
        };
        let Some(error) = body.get("error").filter(|error| error.is_object()) else {
            continue;
        };
        if matches!(*expect, "censored" | "too_long") {
            let found = Complaint::from_error(error).in_stream();
            assert_eq!(name(&found), *expect, "{status} {error}");
        }
    }
}

#[test]
fn a_wait_may_stand_in_the_body() {
    fn check(body: &str, header: Option<u64>, expect: Option<u64>) {
        let header = header.map(Duration::from_secs);
        let retry_after = expect.map(Duration::from_secs);
        let error = Complaint::from_body(body.as_bytes()).of_status(429, header);
        assert_eq!(error, ModelError::Busy { retry_after }, "{body}");
    }
    let gemini = r#"{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}"#;
    check(gemini, None, Some(34));
    check(gemini, Some(5), Some(5));
    check(
        r#"{"error":{"details":[{"retryDelay":"soon"}]}}"#,
        None,
        None,
    );
    check(r#"{"error":{"details":7}}"#, None, None);
}
