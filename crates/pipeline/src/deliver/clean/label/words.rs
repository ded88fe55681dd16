//! Words that writers put in front of a colon: `Note: …`, `Step 2: …`.
//!
//! Anybody may call themselves so. If such a name ended an answer like that of
//! a person, one member could cut short everybody's answers, so these words
//! name nobody. The price is small: what a model says for a member called
//! "Note" is shown.

/// Words of labels, in lower case and in the order of their bytes: of English,
/// Spanish, Portuguese, French, German, Italian, Russian, Chinese, Japanese and
/// Korean, and the most common of Arabic, Hindi, Indonesian, Vietnamese, Polish
/// and Turkish.
#[rustfmt::skip]
const WORDS: [&str; 613] = [
    "a", "achtung", "aclaración", "advantages", "advertencia", "advertência", "adım", "agenda",
    "also", "analogy", "analysis", "anmerkung", "answer", "antwort", "astuce", "atención",
    "atenção", "attention", "attenzione", "aufgabe", "author", "avantages", "avertissement",
    "aviso", "avvertenza", "avviso", "açıklama", "background", "bad", "beispiel", "beispiele",
    "benefits", "bonus", "bottom", "breakdown", "breakfast", "bug", "but", "bước", "c", "c#",
    "c++", "catatan", "causes", "caution", "caveat", "cevap", "challenge", "changelog",
    "chapter", "chú ý", "clarification", "code", "command", "comment", "comments", "comparison",
    "con", "conclusion", "conclusione", "conclusión", "conclusão", "cons", "conseil",
    "conseils", "consejo", "conselho", "consiglio", "constraints", "context", "contoh",
    "contras", "correction", "cost", "cuidado", "câu hỏi", "cảnh báo", "date", "day", "debug",
    "default", "definición", "definition", "definizione", "definição", "description",
    "desvantagens", "desventajas", "details", "dica", "dicas", "dikkat", "dinner",
    "disadvantages", "disclaimer", "domanda", "drawbacks", "définition", "edit", "effect",
    "ejemplo", "ejemplos", "end", "ergebnis", "erklärung", "erläuterung", "error", "esempi",
    "esempio", "evening", "evidence", "example", "examples", "exemple", "exemples", "exemplo",
    "exemplos", "exercise", "explanation", "explicación", "explication", "explicação", "fact",
    "facts", "faq", "fazit", "feature", "features", "fecha", "final", "first", "fix", "fonte",
    "footnote", "formula", "frage", "friday", "fuente", "fun", "function", "ghi chú",
    "giải thích", "goal", "good", "grund", "hasil", "heads", "hint", "hinweis", "hinweise",
    "history", "home", "how", "http", "https", "idea", "idee", "if", "important", "importante",
    "inconvénients", "indice", "info", "information", "ingredientes", "ingredienti",
    "ingredients", "ingrédients", "input", "instrucciones", "instructions", "intro",
    "introduction", "ipucu", "issue", "item", "java", "javascript", "jawaban", "kesimpulan",
    "key", "krok", "kết luận", "kết quả", "label", "langkah", "language", "last", "lembrete",
    "lesson", "level", "limitations", "link", "list", "location", "lunch", "lösung", "lưu ý",
    "main", "meaning", "merke", "message", "method", "modo", "monday", "morning", "mẹo",
    "nachteile", "name", "next", "no", "not", "nota", "notas", "note", "notes", "notiz", "now",
    "objective", "obs", "observation", "observação", "odpowiedź", "opción", "option", "options",
    "opzione", "opção", "or", "origin", "ostrzeżenie", "output", "overview", "p", "p.s", "part",
    "paso", "pasos", "passaggio", "passo", "passos", "penjelasan", "penting", "pergunta",
    "perhatian", "peringatan", "pertanyaan", "plan", "please", "podsumowanie", "point",
    "points", "pregunta", "preparación", "preparation", "preparo", "prerequisites", "price",
    "pro", "problem", "problema", "problème", "promemoria", "proof", "pros", "przykład",
    "préparation", "ps", "purpose", "pytanie", "python", "q", "quan trọng", "quelle",
    "question", "questions", "quick", "quote", "ragione", "raison", "rappel", "rat", "razão",
    "razón", "reason", "reasons", "recap", "recipe", "recommendation", "recordatorio",
    "references", "remarque", "reminder", "requirements", "response", "resposta", "respuesta",
    "result", "resultado", "results", "resumen", "resumo", "riassunto", "ringkasan", "risposta",
    "risultato", "role", "rozwiązanie", "rule", "rules", "rust", "réponse", "résultat",
    "résumé", "saran", "saturday", "scenario", "schritt", "schritte", "second", "section",
    "shell", "side", "solución", "solusi", "solution", "soluzione", "solução", "sonuç", "soru",
    "source", "sources", "spiegazione", "spoiler", "status", "step", "steps", "story",
    "strengths", "subject", "sugerencia", "sugestão", "suggerimento", "suggestion", "summary",
    "sunday", "svantaggi", "syntax", "task", "thursday", "time", "timeline", "tip", "tipp",
    "tipps", "tips", "title", "tl;dr", "tldr", "to", "todo", "topic", "total", "traducción",
    "traduction", "traduzione", "tradução", "translation", "trả lời", "tuesday", "type",
    "tóm tắt", "update", "usage", "uwaga", "uwagi", "uyarı", "value", "vantagens", "vantaggi",
    "ventajas", "verdict", "version", "vorschlag", "vorsicht", "vorteile", "ví dụ", "warning",
    "warnung", "ważne", "weaknesses", "wednesday", "what", "when", "where", "who", "why",
    "wichtig", "wniosek", "word", "wskazówka", "wyjaśnienie", "wynik", "yanıt", "yes",
    "zubereitung", "zusammenfassung", "zutaten", "çözüm", "étape", "étapes", "önemli", "örnek",
    "özet", "übersetzung", "đáp án", "важно", "внимание", "вопрос", "вывод", "задача",
    "заметка", "замечание", "идея", "ингредиенты", "источник", "итог", "итого", "минусы",
    "определение", "осторожно", "ответ", "ошибка", "перевод", "плюсы", "подсказка", "пояснение",
    "предупреждение", "пример", "примеры", "примечание", "причина", "проблема", "результат",
    "решение", "совет", "советы", "шаг", "أمثلة", "الإجابة", "الجواب", "الحل", "الخلاصة",
    "السؤال", "تحذير", "تنبيه", "جواب", "خطوة", "سؤال", "شرح", "مثال", "ملاحظات", "ملاحظة",
    "ملخص", "مهم", "نتيجة", "نصيحة", "उत्तर", "उदाहरण", "चरण", "चेतावनी", "जवाब", "ध्यान",
    "निष्कर्ष", "नोट", "परिणाम", "प्रश्न", "महत्वपूर्ण", "समाधान", "सवाल", "सारांश", "सुझाव",
    "まとめ", "ステップ", "デメリット", "ヒント", "ポイント", "メモ", "メリット", "主题", "举例", "优点", "作り方", "來源", "例",
    "例えば", "例如", "例子", "做法", "備考", "備註", "優點", "入力", "出典", "出力", "原因", "参考", "問", "問題", "回答",
    "地点", "备注", "定义", "定義", "小提示", "小结", "小贴士", "建議", "建议", "总结", "手順", "提案", "提示", "方法", "时间",
    "更新", "材料", "来源", "步驟", "步骤", "注", "注意", "注意事項", "注意事项", "注意点", "理由", "短所", "示例", "第一步",
    "第三步", "第二步", "答", "答え", "答案", "結果", "結論", "總結", "结果", "结论", "缺点", "缺點", "翻訳", "翻譯", "翻译",
    "补充", "補充", "補足", "要約", "解", "解答", "解説", "解释", "解釋", "訳", "說明", "説明", "警告", "说明", "質問",
    "输入", "输出", "追記", "选项", "選項", "重要", "長所", "问", "问题", "附", "결과", "결론", "경고", "단계", "단점", "답",
    "답변", "메모", "문제", "방법", "번역", "비고", "설명", "예", "예시", "예제", "요약", "원인", "이유", "장점", "재료",
    "정답", "정의", "제안", "주의", "주의사항", "중요", "질문", "참고", "추가", "출처", "팁", "해설", "힌트",
];

/// Whether a name, in lower case, is a label: such a word, alone or as the
/// first or the last of two, as in `step 1` and `final answer`. What is drawn
/// around the words does not count.
pub(super) fn is_label(name: &str) -> bool {
    let bare = |word: &str| is_word(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut words = name.split_whitespace();
    let (first, last) = (words.next(), words.next());
    bare(name) || (words.next().is_none() && [first, last].into_iter().flatten().any(bare))
}

/// Whether a word, in lower case, stands in front of colons.
pub(super) fn is_word(word: &str) -> bool {
    WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found() {
        for word in WORDS {
            assert!(is_word(word), "{word} is out of order");
            assert_eq!(word.to_lowercase(), word);
        }
    }
}
