//! Messages that are made of components.

use reqwest::Method;
use serde_json::json;

use crate::{
    components::{V2, button, layout},
    test_emulator::TestEmulator,
};

#[tokio::test]
async fn ids_are_given_in_order_around_those_that_were_chosen() {
    let server = TestEmulator::open().await;
    let path = format!("/channels/{}/messages", server.channel("general"));
    let body = layout(&json!([
        { "type": 17, "components": [
            { "type": 10, "content": "a", "id": 2 },
            { "type": 14 },
            { "type": 9, "components": [{ "type": 10, "content": "b" }], "accessory": button(&json!({ "id": 0 })) },
        ]},
    ]));
    let message = server.bot().post(&path, body).await.json;
    let container = &message["components"][0];
    assert_eq!(container["id"], 1);
    assert_eq!(container["components"][0]["id"], 2);
    let separator = json!({ "type": 14, "id": 3, "divider": true, "spacing": 1 });
    assert_eq!(container["components"][1], separator);
    let section = &container["components"][2];
    assert_eq!(
        (
            &section["id"],
            &section["components"][0]["id"],
            &section["accessory"]["id"]
        ),
        (&json!(4), &json!(5), &json!(6))
    );
    assert_eq!(message["flags"], V2);
    let one = format!("{path}/{}", message["id"].as_str().unwrap());
    let edit = json!({ "flags": 0, "components": [{ "type": 10, "content": "c" }] });
    let edited = server.bot().call(Method::PATCH, &one, edit).await.json;
    assert_eq!(edited["flags"], V2, "it cannot be taken back");
    assert_eq!(edited["components"][0]["content"], "c");
}

#[tokio::test]
async fn uploads_are_linked_where_they_are_named() {
    let server = TestEmulator::open().await;
    let path = format!("/channels/{}/messages", server.channel("general"));
    let payload = layout(&json!([
        { "type": 13, "file": { "url": "attachment://a.txt" } },
        { "type": 12, "items": [{ "media": { "url": "attachment://b.png" } }] },
    ]));
    let file = |index: usize, name: &str| {
        format!(
            "--b\r\ncontent-disposition: form-data; name=\"files[{index}]\"; filename=\"{name}\"\r\n\r\nxyz\r\n"
        )
    };
    let head = "--b\r\ncontent-disposition: form-data; name=\"payload_json\"\r\n\r\n";
    let body = format!(
        "{head}{payload}\r\n{}{}--b--\r\n",
        file(0, "a.txt"),
        file(1, "b.png")
    );
    let request = server
        .bot()
        .request(Method::POST, &path)
        .header("content-type", "multipart/form-data; boundary=b")
        .body(body);
    let reply = server.send(request).await.unwrap();
    assert_eq!(reply.status, 200, "{:?}", reply.json);
    let (file, gallery) = (&reply.json["components"][0], &reply.json["components"][1]);
    let files = &reply.json["attachments"];
    assert_eq!(file["file"]["url"], files[0]["url"]);
    assert_eq!((&file["name"], &file["size"]), (&json!("a.txt"), &json!(3)));
    assert_eq!(gallery["items"][0]["media"]["url"], files[1]["url"]);
    assert_eq!(
        gallery["items"][0]["media"]["attachment_id"],
        files[1]["id"]
    );
}
